// SPDX-License-Identifier: Apache-2.0
// Sizes that overflow narrow numbers: 16 bits of an index, a row or a workgroup, and the 24 bits of a float.
#include "sampler.h"
#include "../../../reference/operator.h"

#include <string.h>

// BEYOND_16 is a thousand beyond 2^16. In such a long sum one wrong term may vanish beside the bound, but a thousand
// do not. BEYOND_24 is just beyond 2^24; of so many outputs, whole stretches are judged. ROOT_OF_24 is the root of
// 2^24 and a little more. Some rows then lie wholly beyond 2^24, and their ends are at odd places.
enum { BEYOND_16 = 66601, BEYOND_24 = (1 << 24) + 127, ROOT_OF_24 = 4111 };

// Limits for a CPU: `wide` takes some hundredths of a second, `grouped` a second, and `vast` a few seconds. A kernel
// with 64 invocations a row has some more than 2^22 of them.
static const struct sample_limits wide = {
    .elements = 1 << 20, .operations = 1.6e7, .invocations = 1 << 18, .steps = 1 << 23, .iterations = 1 << 12};
static const struct sample_limits grouped = {.elements = 1 << 21,
    .operations = 1.6e7,
    .invocations = (1 << 22) + (1 << 17),
    .steps = 1 << 25,
    .iterations = 1 << 12};
static const struct sample_limits vast = {
    .elements = 5.2e7, .operations = 1.5e8, .invocations = 1 << 25, .steps = 1 << 27, .iterations = 1 << 13};
// Two operands of 2^26 elements.
static const struct sample_limits moved = {.elements = 1.4e8,
    .operations = 1.5e8,
    .invocations = (1 << 25) + (1 << 22),
    .steps = 1 << 27,
    .iterations = 1 << 13};
static const struct sample_limits vast_with_barriers = {
    .elements = 5.2e7, .operations = 1.5e8, .invocations = 1 << 21, .steps = 1 << 27, .iterations = 1 << 13};

// Adds a point with one dim beyond 16 bits. The others are 2 if the operator allows it, so a kernel may miss a second
// line.
static bool add_beyond_16(struct case_sampler *s, const struct shape *shape, int dim, int *added) {
    struct point point = sampler_thin(s, shape, dim);
    if (!sampler_set_size(s, shape, point.dims, dim, BEYOND_16)) return true;
    for (int d = 0; d < operator_dims(s->kernel->op); d++)
        if (d != dim && point.dims[d] == 1) sampler_set_size(s, shape, point.dims, d, 2);
    return sampler_add(s, &point, shape, added);
}

// Returns whether the operator only moves numbers. Then even a large problem of many dims is cheap.
static bool only_moves(const struct op *op) {
    for (int i = 0; i < operator_operands(op); i++)
        if (op->operands[i].role != ROLE_IN && op->operands[i].preserves != PRESERVES_BITS) return false;
    return true;
}

// Grows one operand beyond 2^24 vectors of `each` elements by its last dims. If numbers are only moved, it has as many
// lines, too: the last of three dims or more stays. Returns false if this is impossible.
static bool grow_operand(
    struct case_sampler *s, const struct shape *shape, const struct operand *operand, int each, struct point *point) {
    const struct op *op = s->kernel->op;
    const int rank = operand_rank(operand->shape), last = rank > 2 && only_moves(op) ? rank - 2 : rank - 1;
    int grown[2], count = 0;
    for (int i = last; i >= 0 && count < 2; i--) {
        int dim = operator_dim_index(op, operand->shape[i]);
        if (dim >= 0 && dim < operator_dims(op)) grown[count++] = dim;
    }
    if (!count) return false;
    *point = sampler_thin(s, shape, -1);
    point->shape = *shape;
    for (int i = 0; i < count; i++) {
        const int64_t size = count == 1 ? BEYOND_24 : ROOT_OF_24;
        if (!sampler_set_size(s, shape, point->dims, grown[i], i ? size : size * each)) return false;
    }
    return operand_elements(op, operand, point->dims) >= (int64_t)each << 24;
}

// Adds the cheapest case with an input of so many vectors, and the cheapest one with such an output.
static bool add_beyond_24(
    struct case_sampler *s, const struct shape *shape, const struct shape *finest, int each, int *added) {
    const struct op *op = s->kernel->op;
    struct point best[2] = {0};
    for (int i = 0; i < operator_operands(op); i++) {
        struct point point, *least = &best[op->operands[i].role == ROLE_OUT];
        if (!grow_operand(s, shape, &op->operands[i], each, &point) &&
            !grow_operand(s, finest, &op->operands[i], each, &point))
            continue;
        if (!least->kernel || operator_elements(op, point.dims) < operator_elements(op, least->dims)) *least = point;
    }
    for (int k = 0; k < 2; k++) {
        if (!best[k].kernel || sampler_is_planned(s, &best[k])) continue;
        if (!sampler_add(s, &best[k], &best[k].shape, added)) return false;
    }
    return true;
}

// Returns whether the type is the kernel's narrowest one: most of its elements fit in a buffer.
static bool is_narrowest_type(const struct case_sampler *s) {
    int narrowest = (int)s->dtype;
    for (int dtype = 0; dtype < DTYPE_COUNT; dtype++)
        if (s->kernel->dtypes[dtype] && dtype_info((enum dtype)dtype)->bytes < dtype_info((enum dtype)narrowest)->bytes)
            narrowest = dtype;
    return narrowest == (int)s->dtype;
}

// Returns whether even a problem of two operands of 2^26 elements is cheap, and kernels number vectors or pairs.
static bool has_vectors(const struct op *op) {
    return only_moves(op) || operator_dim_index(op, "half") >= 0;
}

// Adds more than 2^24 vectors of four elements, or else of two.
static bool add_vectors(struct case_sampler *s, const struct shape *shape, const struct shape *finest) {
    bool ok = true;
    int added = 0;
    s->limits = &moved;
    for (int each = 4; ok && !added && each > 1; each /= 2) ok = add_beyond_24(s, shape, finest, each, &added);
    s->limits = &sample_ordinary;
    return ok;
}

// Returns whether the operand has both dims.
static bool has_both(const struct op *op, const struct operand *operand, int a, int b) {
    int found = 0;
    for (int i = 0; i < OPERATOR_RANK && operand->shape[i]; i++) {
        const int dim = operator_dim_index(op, operand->shape[i]);
        found += dim == a || dim == b;
    }
    return found == 2;
}

// Adds each pair of sizes with a product beyond 2^24, unless they are dims of one operand: a kernel that computes with
// both, such as with a place times a size, needs no large operand.
static bool add_products(struct case_sampler *s, const struct shape *shape) {
    const struct op *op = s->kernel->op;
    for (int b = 0; b < operator_dims(op); b++)
        for (int a = 0; a < b; a++) {
            bool apart = sampler_is_size(op, a) && sampler_is_size(op, b);
            for (int i = 0; i < operator_operands(op); i++) apart = apart && !has_both(op, &op->operands[i], a, b);
            struct point point = sampler_thin(s, shape, a);
            point.shape = *shape;
            if (!apart || !sampler_set_size(s, shape, point.dims, a, ROOT_OF_24) ||
                !sampler_set_size(s, shape, point.dims, b, ROOT_OF_24) || sampler_is_planned(s, &point))
                continue;
            if (!sampler_add(s, &point, shape, &(int){0})) return false;
        }
    return true;
}

bool sampler_enlarge(struct case_sampler *s, const struct shape_sample *shapes) {
    if (!shapes->legal) return true;
    const struct shape finest = sampler_finest(s, shapes);
    if (s->deep && has_vectors(s->kernel->op) && is_narrowest_type(s) && !add_vectors(s, &shapes->items[0], &finest))
        return false;
    if (!sampler_is_first_type(s)) return true;
    const int dims = operator_dims(s->kernel->op), most = s->deep || dims <= 2 ? dims : 1;
    const int start = (int)(s->key % (uint64_t)dims);
    bool ok = true;
    int added = 0;
    s->limits = s->deep ? &grouped : &wide;
    for (int i = 0; ok && i < dims && added < most; i++) {
        const int dim = (start + i) % dims, before = added;
        if (!sampler_grows(s->kernel->op, dim)) continue;
        ok = add_beyond_16(s, &finest, dim, &added);
        if (ok && added == before)
            ok = add_beyond_16(s, &shapes->items[0], dim, &added); // the finest shape takes too many iterations
    }
    s->limits = &wide;
    if (ok && s->deep) ok = add_products(s, &shapes->items[0]);
    s->limits = s->kernel->shared_count ? &vast_with_barriers : &vast;
    if (ok && s->deep && (dims <= SAMPLER_MANY_DIMS || only_moves(s->kernel->op)))
        ok = add_beyond_24(s, &shapes->items[0], &finest, 1, &(int){0});
    s->limits = &sample_ordinary;
    return ok;
}
