// SPDX-License-Identifier: Apache-2.0
// Sizes at which loops take more iterations than elsewhere: a dim at the limit of a rule, parts of each length, many
// parts, and a line for all invocations of the largest workgroup.
#include "edges.h"
#include "sampler.h"
#include "../../../reference/signature.h"

#include <string.h>

// A part is one element longer than 2^0 to 2^LONGEST_PART. The workgroup that joins parts may read up to JOINED of them
// before it uses one. Other dims have FEW elements more.
enum { LONGEST_PART = 7, JOINED = 8, FEW = 8 };
// MOST_EACH: most elements of an invocation.
enum { MOST_EACH = 32 };

// A CPU takes a second.
static const struct sample_limits joined = {.elements = 1.8e7,
    .operations = 1.5e8,
    .invocations = (1 << 21) + (1 << 17),
    .steps = 1 << 27,
    .iterations = 1 << 13};

// Adds the size with the other dims at their least or, from the innermost one on, with a few elements more, as far as
// affordable. With only one line, a special value may hide an error.
static bool add_size(struct case_sampler *s, const struct shape *shape, int dim, int64_t size, int64_t more) {
    struct point point = sampler_thin(s, shape, dim);
    if (!sampler_set_size(s, shape, point.dims, dim, size)) return true;
    for (int d = operator_dims(s->kernel->op) - 1; more && d >= 0; d--)
        if (d != dim && sampler_is_size(s->kernel->op, d))
            sampler_set_size(s, shape, point.dims, d, point.dims[d] + more);
    point.shape = *shape;
    return sampler_is_planned(s, &point) || sampler_add(s, &point, shape, &(int){0});
}

// Adds the dim at the limit that the rule sets it, and at one less. The shape has the most elements for each
// invocation.
static bool add_limit(struct case_sampler *s, const struct shape_sample *shapes, const struct rule *rule, int dim) {
    const struct shape *best = NULL;
    int64_t limit = 0, iterations = 0;
    for (size_t i = 0; i < shapes->legal; i++) {
        const struct shape *shape = &shapes->items[i];
        const int64_t most = edge_tile(s->kernel, shape, &rule->by), each = most / edge_invocations(s->kernel, shape);
        if (each <= iterations) continue;
        best = shape;
        limit = most;
        iterations = each;
    }
    return !best || (add_size(s, best, dim, limit, 0) && add_size(s, best, dim, limit - 1, 0));
}

static bool add_limits(struct case_sampler *s, const struct shape_sample *shapes, int dim) {
    const struct kernel *kernel = s->kernel;
    bool ok = true;
    for (int i = 0; ok && i < kernel->rule_count; i++) {
        const struct rule *rule = &kernel->rules[i];
        if (rule->kind == RULE_AT_MOST && edge_mentions(kernel, &rule->of, dim) && !product_dim(kernel, &rule->by))
            ok = add_limit(s, shapes, rule, dim);
    }
    return ok;
}

static bool names(const struct product *product, const char *name) {
    for (int i = 0; i < product->count; i++)
        if (product->factors[i].name && strcmp(product->factors[i].name, name) == 0) return true;
    return false;
}

// Returns whether the tunable is a number of workgroups, or of those for each size.
static bool counts_groups(const struct kernel *kernel, const char *tunable) {
    for (int p = 0; p < kernel->pass_count; p++)
        for (int axis = 0; axis < 3; axis++)
            if (names(&kernel->passes[p].grid[axis].over, tunable)) return true;
    return false;
}

// Returns the loop along the dim that the tunable cuts into parts, or NULL.
static const struct quotient *cut_by(const struct kernel *kernel, int dim, const char *tunable) {
    for (int i = 0; i < kernel->depth_count; i++) {
        const struct quotient *length = &kernel->depth[i].length;
        if (edge_mentions(kernel, &length->over, dim) && names(&length->by, tunable)) return length;
    }
    return NULL;
}

// Adds parts in the shape with the most of them for each invocation. The workgroup that joins them takes many
// iterations, and no pair of tunables needs to have such a shape. Each part has elements.
static bool add_most_parts(
    struct case_sampler *s, const struct shape_sample *shapes, int dim, int tunable, const struct product *by) {
    const struct shape *best = NULL;
    double most = 0;
    for (size_t i = 0; i < shapes->legal; i++) {
        const struct shape *shape = &shapes->items[i];
        const double each = (double)shape->value[tunable] / (double)edge_invocations(s->kernel, shape);
        if (each <= most) continue;
        best = shape;
        most = each;
    }
    const struct sample_limits *before = s->limits;
    s->limits = &joined;
    const bool ok = !best || add_size(s, best, dim, 2 * edge_tile(s->kernel, best, by) + 1, FEW);
    s->limits = before;
    return ok;
}

// Adds parts of each length. A kernel may ask for the next elements of a part ahead, and has one of them left.
static bool add_parts(struct case_sampler *s, const struct shape_sample *shapes, int dim) {
    const struct kernel *kernel = s->kernel;
    bool ok = true;
    for (int t = 0; t < kernel->tunable_count; t++) {
        const struct quotient *length = cut_by(kernel, dim, kernel->tunables[t].name);
        if (!length || !counts_groups(kernel, kernel->tunables[t].name)) continue;
        ok = ok && add_most_parts(s, shapes, dim, t, &length->by);
        for (int power = 0; ok && power <= LONGEST_PART; power++) {
            const struct shape *first = &shapes->items[0], *other = &shapes->items[(size_t)power % shapes->count];
            ok = add_size(s, first, dim, (first->value[t] << power) + 1, FEW) &&
                 add_size(s, other, dim, (other->value[t] << power) + 1, FEW);
        }
    }
    return ok;
}

// Adds one part more than a workgroup joins in one iteration, at the largest workgroup that can.
static bool add_joined(struct case_sampler *s, const struct shape_sample *shapes, const struct product *part, int dim) {
    struct point best = {0};
    int64_t widest = 0;
    for (size_t i = 0; i < shapes->legal; i++) {
        const struct shape *shape = &shapes->items[i];
        const int64_t width = edge_invocations(s->kernel, shape), size = edge_tile(s->kernel, shape, part);
        if (width <= widest || size <= 1) continue;
        struct point point = sampler_thin(s, shape, dim);
        point.dims[dim] = size * width * JOINED + 1;
        if (!sampler_affords(s, shape, point.dims)) continue;
        best = point;
        best.shape = *shape;
        widest = width;
    }
    return !widest || sampler_is_planned(s, &best) || sampler_add(s, &best, &best.shape, &(int){0});
}

static bool add_all_joined(struct case_sampler *s, const struct shape_sample *shapes, int dim) {
    const struct kernel *kernel = s->kernel;
    const struct sample_limits *before = s->limits;
    bool ok = true;
    s->limits = &joined;
    for (int i = 0; ok && i < kernel->scratch_count && sampler_grows(kernel->op, dim); i++) {
        const struct quotient *elements = &kernel->scratch[i].elements;
        if (edge_mentions(kernel, &elements->over, dim)) ok = add_joined(s, shapes, &elements->by, dim);
    }
    s->limits = before;
    return ok;
}

// Counts the tunables with the default's value.
static int alike(const struct kernel *kernel, const struct shape *shape, const struct shape *standard) {
    int count = 0;
    for (int t = 0; t < kernel->tunable_count; t++) count += shape->value[t] == standard->value[t];
    return count;
}

// Returns the shape with the most invocations and, among those, with the most in common with the default.
static struct shape widest_shape(const struct case_sampler *s, const struct shape_sample *shapes) {
    const struct shape standard = kernel_default_shape(s->kernel, s->request->device);
    struct shape best = shapes->items[0];
    int64_t most = 0;
    for (size_t i = 0; i < shapes->legal; i++) {
        const struct shape *shape = &shapes->items[i];
        const int64_t width = edge_invocations(s->kernel, shape);
        if (width < most || (width == most && alike(s->kernel, shape, &standard) <= alike(s->kernel, &best, &standard)))
            continue;
        best = *shape;
        most = width;
    }
    return best;
}

// Adds a size one beyond the elements of the largest workgroup. Its subgroups are the most that may share a line.
static bool add_widest(struct case_sampler *s, const struct shape_sample *shapes, int dim) {
    const struct shape shape = widest_shape(s, shapes);
    int64_t each = 1;
    for (int t = 0; t < s->kernel->tunable_count; t++)
        if (strncmp(s->kernel->tunables[t].name, "WG_", 3) != 0 && shape.value[t] > each && shape.value[t] <= MOST_EACH)
            each = shape.value[t];
    return add_size(s, &shape, dim, edge_invocations(s->kernel, &shape) * each + 1, 0);
}

bool sampler_iterations(struct case_sampler *s, const struct shape_sample *shapes) {
    const struct op *op = s->kernel->op;
    bool ok = true;
    if (!s->deep || !shapes->count || !sampler_is_first_type(s)) return true;
    for (int dim = 0; ok && dim < operator_dims(op); dim++) {
        if (!sampler_is_size(op, dim)) continue;
        ok = add_limits(s, shapes, dim) && add_parts(s, shapes, dim) && add_all_joined(s, shapes, dim);
        if (ok && operator_dims(op) <= SAMPLER_MANY_DIMS) ok = add_widest(s, shapes, dim);
    }
    return ok;
}
