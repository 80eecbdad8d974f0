// SPDX-License-Identifier: Apache-2.0
#include "operator.h"

#include <string.h>

static int names(const char *const *list, int most) {
    int count = 0;
    while (count < most && list[count]) count++;
    return count;
}

int operator_dims(const struct op *op) {
    return names(op->dims, OPERATOR_DIMS);
}

int operator_derived(const struct op *op) {
    return names(op->derived, OPERATOR_DIMS);
}

int operator_operands(const struct op *op) {
    int count = 0;
    while (count < OPERATOR_OPERANDS && op->operands[count].name) count++;
    return count;
}

int operator_params(const struct op *op) {
    int count = 0;
    while (count < OPERATOR_PARAMS && op->params[count].name) count++;
    return count;
}

int operator_first_output(const struct op *op) {
    for (int i = 0; i < operator_operands(op); i++)
        if (op->operands[i].role != ROLE_IN) return i;
    return 0;
}

// Compares first characters first: this runs for each dim of each point of a plan, and a call of strcmp would
// dominate.
static bool same(const char *a, const char *b) {
    return *a == *b && strcmp(a, b) == 0;
}

const struct option *operator_option(const struct op *op, int dim) {
    for (int i = 0; i < OPERATOR_OPTIONS && op->options[i].dim; i++)
        if (same(op->options[i].dim, op->dims[dim])) return &op->options[i];
    return NULL;
}

int operator_dim_index(const struct op *op, const char *name) {
    int given = 0;
    for (; given < OPERATOR_DIMS && op->dims[given]; given++)
        if (same(op->dims[given], name)) return given;
    for (int i = 0; i < OPERATOR_DIMS && op->derived[i]; i++)
        if (same(op->derived[i], name)) return given + i;
    return -1;
}

int operator_operand_index(const struct op *op, const char *name) {
    for (int i = 0; i < operator_operands(op); i++)
        if (strcmp(op->operands[i].name, name) == 0) return i;
    return -1;
}

int operator_param_index(const struct op *op, const char *name) {
    for (int i = 0; i < operator_params(op); i++)
        if (strcmp(op->params[i].name, name) == 0) return i;
    return -1;
}

int operand_rank(const char *const axes[OPERATOR_RANK]) {
    int rank = 0;
    while (rank < OPERATOR_RANK && axes[rank]) rank++;
    return rank;
}

bool operand_same_shape(const struct operand *a, const struct operand *b) {
    const int rank = operand_rank(a->shape);
    bool same = rank == operand_rank(b->shape);
    for (int i = 0; same && i < rank; i++) same = strcmp(a->shape[i], b->shape[i]) == 0;
    return same;
}

// Returns the product of the named dims, 1 for an empty list. Returns -1 if it overflows or a name is not a dim.
static int64_t product(const struct op *op, const char *const *list, const int64_t *dims) {
    int64_t result = 1;
    for (int i = 0; i < OPERATOR_RANK && list[i]; i++) {
        int dim = operator_dim_index(op, list[i]);
        if (dim < 0 || dims[dim] < 0 || __builtin_mul_overflow(result, dims[dim], &result)) return -1;
    }
    return result;
}

int64_t operand_elements(const struct op *op, const struct operand *operand, const int64_t *dims) {
    return product(op, operand->shape, dims);
}

double operator_elements(const struct op *op, const int64_t *dims) {
    double sum = 0;
    for (int i = 0; i < operator_operands(op); i++) sum += (double)operand_elements(op, &op->operands[i], dims);
    return sum;
}

int64_t operand_granule(const struct op *op, const struct operand *operand, const int64_t *dims) {
    return product(op, operand->granule, dims);
}

enum dtype operand_dtype(const struct operand *operand, enum dtype case_dtype) {
    if (operand->dtype != DTYPE_CASE) return operand->dtype;
    bool quantised = dtype_info(case_dtype)->elements > 1;
    return quantised && !operand->weights ? DTYPE_F32 : case_dtype;
}

static bool may_be_zero(const struct op *op, const char *dim) {
    for (size_t i = 0; i < sizeof op->zero_ok / sizeof op->zero_ok[0] && op->zero_ok[i]; i++)
        if (strcmp(op->zero_ok[i], dim) == 0) return true;
    return false;
}

static const char *take_case(const struct op *op, int64_t *dims) {
    if (dims[0] > op->case_count) return "there is no such case";
    memcpy(dims + 1, op->cases[dims[0] - 1], (size_t)operator_derived(op) * sizeof *dims);
    return NULL;
}

const char *operator_derive(const struct op *op, int64_t *dims) {
    for (int i = 0; i < operator_dims(op); i++) {
        if (dims[i] < 0) return "a dim is negative";
        if (dims[i] == 0 && !may_be_zero(op, op->dims[i])) return "a dim that must be at least 1 is 0";
    }
    const char *why = op->cases ? take_case(op, dims) : op->derive ? op->derive(dims) : NULL;
    if (why) return why;
    for (int i = 0; i < operator_operands(op); i++) {
        int64_t elements = operand_elements(op, &op->operands[i], dims);
        // The double reference needs 8 bytes an element, more than any dtype.
        if (elements < 0 || elements > INT64_MAX / 8) return "an operand's size overflows";
    }
    return NULL;
}

double operator_bytes(const struct op *op, const int64_t *dims, enum dtype dtype) {
    const struct dtype_info *info = dtype_info(dtype);
    if (op->bytes) return op->bytes(dims) / 4 * info->bytes / info->elements;
    double total = 0;
    for (int i = 0; i < operator_operands(op); i++) {
        const struct operand *operand = &op->operands[i];
        info = dtype_info(operand_dtype(operand, dtype));
        double once = (double)operand_elements(op, operand, dims) / info->elements * info->bytes;
        total += operand->role == ROLE_INOUT ? 2 * once : once;
    }
    return total;
}
