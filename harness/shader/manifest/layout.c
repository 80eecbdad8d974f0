// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"
#include "../../../reference/operator.h"

static bool read_numbers(const struct kernel *kernel, int operand, const int64_t *dims, struct placing *out) {
    const struct layout *layout = &kernel->layouts[operand];
    const struct operand *described = &kernel->op->operands[operand];
    int64_t packed = 1;
    out->offset = layout->offset.count ? product_value(kernel, &layout->offset, dims, NULL) : 0;
    out->axes = operand_rank(described->shape);
    for (int axis = out->axes - 1; axis >= 0; axis--) {
        out->size[axis] = dims[operator_dim_index(kernel->op, described->shape[axis])];
        out->stride[axis] = layout->has_strides ? product_value(kernel, &layout->strides[axis], dims, NULL) : packed;
        if (out->size[axis] < 0 || out->stride[axis] < 0 || __builtin_mul_overflow(packed, out->size[axis], &packed))
            return false;
    }
    if (!out->axes) out->size[0] = out->stride[0] = out->axes = 1;
    return out->offset >= 0;
}

// Returns the axis with the smallest stride above `stride`, or with an equal stride and an index above `after`; -1:
// none.
static int next_axis(const struct placing *p, int64_t stride, int after) {
    int best = -1;
    for (int i = 0; i < p->axes; i++) {
        bool later = p->stride[i] > stride || (p->stride[i] == stride && i > after);
        if (later && (best < 0 || p->stride[i] < p->stride[best])) best = i;
    }
    return best;
}

// Computes the extent and detects overlaps. By ascending stride, each axis must step over everything covered by the
// axes before it.
static enum placing_state measure(struct placing *p) {
    int64_t covered = 1;
    for (int axis = next_axis(p, -1, -1); axis >= 0; axis = next_axis(p, p->stride[axis], axis)) {
        int64_t reach;
        if (p->size[axis] <= 1) continue;
        if (p->stride[axis] < covered) return PLACING_OVERLAPS;
        if (__builtin_mul_overflow(p->size[axis] - 1, p->stride[axis], &reach) ||
            __builtin_add_overflow(covered, reach, &covered))
            return PLACING_OVERFLOWS;
    }
    return __builtin_add_overflow(covered, p->offset, &p->extent) || p->extent > INT64_MAX / 64 ? PLACING_OVERFLOWS
                                                                                                : PLACING_GOOD;
}

enum placing_state layout_place(const struct kernel *kernel, int operand, const int64_t *dims, struct placing *out) {
    *out = (struct placing){0};
    if (!kernel->layouts || !kernel->layouts[operand].placed) return PLACING_GOOD;
    return read_numbers(kernel, operand, dims, out) ? measure(out) : PLACING_OVERFLOWS;
}

int kernel_overwriter(const struct kernel *kernel, int input) {
    for (int i = 0; i < OPERATOR_OPERANDS; i++)
        if (kernel->in_place[i] == input + 1) return i;
    return -1;
}

int kernel_partner(const struct kernel *kernel, int operand) {
    return kernel->in_place[operand] ? kernel->in_place[operand] - 1 : kernel_overwriter(kernel, operand);
}

enum dtype kernel_operand_dtype(const struct kernel *kernel, int operand, enum dtype case_dtype) {
    const enum dtype own = kernel->types[operand];
    return own != DTYPE_CASE ? own : operand_dtype(&kernel->op->operands[operand], case_dtype);
}
