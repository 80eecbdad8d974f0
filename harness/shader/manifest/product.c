// SPDX-License-Identifier: Apache-2.0
#include "kernel.h"

#include "../../base/text.h"
#include "dispatches.h"

#include <math.h>

static int64_t factor_value(
    const struct kernel *kernel, const struct factor *factor, const int64_t *dims, const struct shape *shape) {
    if (factor->rounded) return quotient_value(kernel, factor->rounded, dims, shape);
    if (!factor->name) return factor->number;
    int dim = operator_dim_index(kernel->op, factor->name);
    if (dim >= 0) return dims ? dims[dim] : -1;
    // Any other name is a tunable or a variable, because the manifest was checked. Only an absent WG_X, WG_Y or WG_Z
    // is not in the shape; it is 1.
    return shape ? shape_value(kernel, shape, factor->name, 1) : -1;
}

int64_t product_value(
    const struct kernel *kernel, const struct product *product, const int64_t *dims, const struct shape *shape) {
    int64_t value = 1;
    for (int i = 0; i < product->count; i++) {
        int64_t factor = factor_value(kernel, &product->factors[i], dims, shape);
        if (factor < 0 || __builtin_mul_overflow(value, factor, &value)) return -1;
    }
    return value;
}

int64_t quotient_value(
    const struct kernel *kernel, const struct quotient *quotient, const int64_t *dims, const struct shape *shape) {
    int64_t over = product_value(kernel, &quotient->over, dims, shape);
    int64_t by = product_value(kernel, &quotient->by, dims, shape);
    if (over < 0 || by < 1) return -1;
    return over / by + (over % by != 0);
}

int64_t kernel_shared_bytes(const struct kernel *kernel, const int64_t *dims, const struct shape *shape) {
    int64_t bytes = 0;
    for (int i = 0; i < kernel->shared_count; i++) {
        int64_t term = product_value(kernel, &kernel->shared[i], dims, shape);
        if (term < 0 || __builtin_add_overflow(bytes, term, &bytes)) return -1;
    }
    return bytes;
}

const char *product_name(const struct kernel *kernel, const struct product *product,
    bool (*holds)(const struct kernel *kernel, const char *name, const void *context), const void *context) {
    for (int i = 0; i < product->count; i++) {
        const struct factor *factor = &product->factors[i];
        const struct quotient *rounded = factor->rounded;
        if (factor->name && holds(kernel, factor->name, context)) return factor->name;
        const char *found = rounded ? product_name(kernel, &rounded->over, holds, context) : NULL;
        if (rounded && !found) found = product_name(kernel, &rounded->by, holds, context);
        if (found) return found;
    }
    return NULL;
}

static bool follows_dims(const struct kernel *kernel, const char *name, const void *context) {
    (void)context;
    return operator_dim_index(kernel->op, name) >= 0 || kernel_variable(kernel, name) >= 0;
}

const char *product_dim(const struct kernel *kernel, const struct product *product) {
    return product_name(kernel, product, follows_dims, NULL);
}

static bool is_no_dim(const struct kernel *kernel, const char *name, const void *context) {
    (void)context;
    return operator_dim_index(kernel->op, name) < 0;
}

const char *quotient_choice(const struct kernel *kernel, const struct quotient *quotient) {
    const char *found = product_name(kernel, &quotient->over, is_no_dim, NULL);
    return found ? found : product_name(kernel, &quotient->by, is_no_dim, NULL);
}

const char *product_text(struct arena *arena, const struct product *product) {
    struct text text = {0};
    for (int i = 0; i < product->count; i++) {
        const struct factor *factor = &product->factors[i];
        if (i) text_append(&text, " * ");
        if (factor->rounded && !factor->rounded->by.count)
            text_format(&text, "(%s)", product_text(arena, &factor->rounded->over));
        else if (factor->rounded)
            text_format(&text, "(%s / %s)", product_text(arena, &factor->rounded->over),
                product_text(arena, &factor->rounded->by));
        else if (factor->name)
            text_append(&text, factor->name);
        else
            text_format(&text, "%lld", (long long)factor->number);
    }
    if (!product->count) text_append(&text, "1");
    return arena_take(arena, &text);
}

// Walks from the last addition back to the leaves. Each term adds up the partial sums of the term before it in the
// manifest.
struct sum_order kernel_sum_order(const struct kernel *kernel, const int64_t *dims, const struct shape *shape) {
    struct sum_order order = {.depth = kernel_depth(kernel, dims, shape)};
    double lanes = 1;
    for (int i = kernel->depth_count - 1; i >= 0 && order.depth > 0; i--) {
        const struct depth_term *term = &kernel->depth[i];
        const double length = (double)quotient_value(kernel, &term->length, dims, shape);
        if (term->log2)
            order.tree += 2 * (2 - 2 / length) / lanes;
        else
            order.chains += length / lanes;
        lanes *= fmax(length, 1);
    }
    return order;
}

int64_t kernel_depth(const struct kernel *kernel, const int64_t *dims, const struct shape *shape) {
    int64_t depth = 0;
    for (int i = 0; i < kernel->depth_count; i++) {
        const struct depth_term *term = &kernel->depth[i];
        int64_t length = quotient_value(kernel, &term->length, dims, shape);
        if (length < 0) return 0;
        int64_t levels = 0; // of a tree: the count is halved until one is left
        for (int64_t count = length; term->log2 && count > 1; count = count / 2 + count % 2) levels++;
        if (__builtin_add_overflow(depth, term->log2 ? levels : length, &depth)) return 0;
    }
    return depth;
}

int64_t kernel_last_chain(const struct kernel *kernel, const int64_t *dims, const struct shape *shape) {
    int64_t last = 0;
    for (int i = 1; i < kernel->depth_count; i++) {
        const struct quotient *length = &kernel->depth[i].length;
        if (!kernel->depth[i].log2 && product_dim(kernel, &length->over))
            last = quotient_value(kernel, length, dims, shape);
    }
    return last < 0 ? 0 : last;
}
