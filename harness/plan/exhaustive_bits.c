// SPDX-License-Identifier: Apache-2.0
#include "exhaustive_bits.h"

#include <string.h>

enum { MOST_OPERANDS = 2 };

static bool along_n(const struct operand *operand) {
    return operand->shape[0] && strcmp(operand->shape[0], "n") == 0 && !operand->shape[1];
}

// Operands in, by count; 0: the operator is not one of elements. Only elementwise operators take
// special values. What is random depends on the place of an element, too.
int exhaustive_operands(const struct op *op) {
    int in = 0, out = 0;
    if (operator_dims(op) != 1 || strcmp(op->family, "random") == 0) return 0;
    for (int i = 0; i < operator_operands(op); i++) {
        const struct operand *operand = &op->operands[i];
        bool input = operand->role == ROLE_IN && operand->specials;
        if (!along_n(operand) || (!input && operand->role != ROLE_OUT) || operand->granule[0]) return 0;
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
    for (int i = 0; i < operator_operands(op); i++) {
        if (op->operands[i].role != ROLE_IN) continue;
        const struct dtype_info *info = dtype_info(operand_dtype(&op->operands[i], dtype));
        if (!info->is_float || info->elements != 1) return 0;
        bits += info->bytes * 8;
    }
    return bits <= EXHAUSTIVE_BITS ? bits : 0;
}
