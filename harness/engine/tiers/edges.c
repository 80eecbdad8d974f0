// SPDX-License-Identifier: Apache-2.0
#include "edges.h"

#include "../../shader/manifest/dispatches.h"
#include "../../../reference/operator.h"

#include <string.h>

static const int64_t widest = 8192;

struct widths {
    const struct kernel *kernel;
    const struct shape *shape;
    int dim;
    int64_t *items;
    int count;
};

static void add(struct widths *w, int64_t width) {
    if (width < 2 || width > widest || w->count == EDGE_WIDTHS) return;
    for (int i = 0; i < w->count; i++)
        if (w->items[i] == width) return;
    w->items[w->count++] = width;
}

// Returns whether the name is the dim, a derived dim or a variable. Derived dims and variables may follow from the
// dim.
static bool may_be(const struct kernel *kernel, const char *name, const void *dim) {
    const int index = operator_dim_index(kernel->op, name);
    return index == *(const int *)dim || index >= operator_dims(kernel->op) || kernel_variable(kernel, name) >= 0;
}

bool edge_mentions(const struct kernel *kernel, const struct product *product, int dim) {
    return product_name(kernel, product, may_be, &dim) != NULL;
}

int64_t edge_tile(const struct kernel *kernel, const struct shape *shape, const struct product *product) {
    struct product rest = {0};
    for (int i = 0; i < product->count; i++) {
        const struct product alone = {.factors = {product->factors[i]}, .count = 1};
        if (!product_dim(kernel, &alone)) rest.factors[rest.count++] = product->factors[i];
    }
    return product_value(kernel, &rest, NULL, shape);
}

static bool mentions(const struct widths *w, const struct product *product) {
    return edge_mentions(w->kernel, product, w->dim);
}

static int64_t tile(const struct widths *w, const struct product *product) {
    return edge_tile(w->kernel, w->shape, product);
}

static void add_quotient(struct widths *w, const struct quotient *quotient) {
    if (mentions(w, &quotient->over)) add(w, tile(w, &quotient->by));
}

int64_t edge_invocations(const struct kernel *kernel, const struct shape *shape) {
    uint32_t wg[3];
    shape_workgroup(kernel, shape, wg);
    return (int64_t)wg[0] * wg[1] * wg[2];
}

int64_t edge_part(const struct kernel *kernel, const struct shape *shape, int dim) {
    int64_t part = 0;
    for (int p = 0; p < kernel->pass_count; p++)
        for (int axis = 0; axis < 3; axis++) {
            const struct quotient *grid = &kernel->passes[p].grid[axis];
            const int64_t by = edge_mentions(kernel, &grid->over, dim) ? edge_tile(kernel, shape, &grid->by) : 0;
            if (by > part) part = by;
        }
    return part;
}

int edge_widths(const struct kernel *kernel, const struct shape *shape, int dim, int64_t widths[EDGE_WIDTHS]) {
    struct widths w = {.kernel = kernel, .shape = shape, .dim = dim, .items = widths};
    for (int p = 0; p < kernel->pass_count; p++)
        for (int axis = 0; axis < 3; axis++) add_quotient(&w, &kernel->passes[p].grid[axis]);
    for (int i = 0; i < kernel->rule_count; i++) {
        const struct rule *rule = &kernel->rules[i];
        if (mentions(&w, &rule->of)) add(&w, tile(&w, &rule->by));
        if (mentions(&w, &rule->by)) add(&w, tile(&w, &rule->of));
    }
    for (int i = 0; i < kernel->scratch_count; i++) add_quotient(&w, &kernel->scratch[i].elements);
    for (int i = 0; i < kernel->depth_count; i++) add_quotient(&w, &kernel->depth[i].length);
    const int64_t invocations = edge_invocations(kernel, shape);
    add(&w, invocations);
    for (int i = 0; i < kernel->tunable_count; i++) {
        add(&w, shape->value[i]);
        if (strncmp(kernel->tunables[i].name, "WG_", 3) != 0 && shape->value[i] <= widest)
            add(&w, invocations * shape->value[i]);
    }
    return w.count;
}

static void insert(int64_t *sizes, int *count, int64_t size) {
    int at = 0;
    while (at < *count && sizes[at] < size) at++;
    if (*count == EDGE_SIZES || (at < *count && sizes[at] == size)) return;
    memmove(sizes + at + 1, sizes + at, (size_t)(*count - at) * sizeof *sizes);
    sizes[at] = size;
    ++*count;
}

int edge_sizes(const struct kernel *kernel, const struct shape *shape, int dim, int64_t sizes[EDGE_SIZES]) {
    static const int64_t vectors[] = {2, 4, 8}, primes[] = {2, 3, 5, 7, 13, 31, 61, 127, 251, 509, 1021};
    int64_t widths[EDGE_WIDTHS + 3];
    int count = 0, width_count = edge_widths(kernel, shape, dim, widths);
    memcpy(widths + width_count, vectors, sizeof vectors);
    width_count += (int)(sizeof vectors / sizeof *vectors);
    const struct op *op = kernel->op;
    for (int i = 0; i < 4 && op->zero_ok[i]; i++)
        if (strcmp(op->zero_ok[i], op->dims[dim]) == 0) insert(sizes, &count, 0);
    insert(sizes, &count, 1);
    for (int i = 0; i < width_count; i++) {
        insert(sizes, &count, widths[i] - 1);
        insert(sizes, &count, widths[i]);
        insert(sizes, &count, widths[i] + 1);
        insert(sizes, &count, 2 * widths[i] + 1);
        insert(sizes, &count, 3 * widths[i]);
    }
    for (size_t i = 0; i < sizeof primes / sizeof *primes; i++) insert(sizes, &count, primes[i]);
    return count;
}
