// SPDX-License-Identifier: Apache-2.0
// The kernels whose inputs can all be run.
#include "suite.h"

#include "../../../reference/operator.h"

#include <string.h>

enum { MOST_OPERANDS = 2 };

// Counts the input operands; 0: the operator is not elementwise. Only elementwise operators have special values.
// Random operators are excluded, because their outputs depend on an element's place, too.
int exhaustive_operands(const struct op *op) {
    int in = 0, out = 0;
    if (operator_dims(op) != 1 || strcmp(op->family, "random") == 0) return 0;
    for (int i = 0; i < operator_operands(op); i++) {
        const struct operand *operand = &op->operands[i];
        bool input = operand->role == ROLE_IN && operand->specials;
        const bool along_n = operand->shape[0] && strcmp(operand->shape[0], "n") == 0 && !operand->shape[1];
        if (!along_n || (!input && operand->role != ROLE_OUT) || operand->granule[0]) return 0;
        if (input)
            in++;
        else
            out++;
    }
    return out == 1 && in <= MOST_OPERANDS ? in : 0;
}

int exhaustive_bits(const struct kernel *kernel, enum dtype dtype) {
    const struct op *op = kernel->op;
    int bits = 0;
    if (!exhaustive_operands(op)) return 0;
    if (kernel->leaves[LEAVE_NAN] || kernel->leaves[LEAVE_SUBNORMALS]) return 0; // all inputs include them
    for (int i = 0; i < operator_operands(op); i++) {
        if (op->operands[i].role != ROLE_IN) continue;
        if (kernel->is_fixed[i]) return 0;
        if (kernel->layouts) return 0;
        const struct dtype_info *info = dtype_info(kernel_operand_dtype(kernel, i, dtype));
        if (!info->is_float || info->elements != 1) return 0;
        bits += info->bytes * 8;
    }
    return bits <= EXHAUSTIVE_BITS ? bits : 0;
}
