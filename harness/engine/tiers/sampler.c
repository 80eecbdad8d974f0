// SPDX-License-Identifier: Apache-2.0
// Points of one kernel and type: what is affordable and legal, sizes set, and points added.
#include "sampler.h"

#include "../../../reference/operator.h"
#include "../../../reference/philox.h"
#include "../../../reference/table.h"
#include "../../device/device_info.h"
#include "../../shader/manifest/contract/contract.h"
#include "../../shader/manifest/dispatches.h"
#include "../../shader/manifest/shape.h"
#include "../plan/shapes.h"
#include "edges.h"

#include <math.h>
#include <string.h>

enum { LARGEST_RANDOM = 2048 }; // largest size drawn

// The reference computes problems of this size in milliseconds.
const struct sample_limits sample_ordinary = {
    .elements = 1 << 18, .operations = 4e6, .invocations = 1 << 17, .steps = 1 << 23, .iterations = INFINITY};

uint32_t sampler_draw(struct case_sampler *s) {
    return philox(s->key, s->drawn++, 4).v[0];
}

size_t sampler_draw_below(struct case_sampler *s, size_t below) {
    return (size_t)((uint64_t)sampler_draw(s) * below >> 32);
}

int64_t sampler_random_size(struct case_sampler *s) {
    return (int64_t)exp2(log2(LARGEST_RANDOM) * philox_uniform(sampler_draw(s)));
}

double sampler_cost(const struct case_sampler *s, const int64_t *dims) {
    const struct op *op = s->kernel->op;
    const double elements = operator_elements(op, dims), operations = operator_flops(op, dims);
    return fmax(elements / s->limits->elements, operations / s->limits->operations);
}

// Returns the cost of the shape's launches, on devices where it matters.
static double cost_of_launch(const struct case_sampler *s, const int64_t *dims, const struct shape *shape) {
    if (s->request->device->kind != DEVICE_CPU) return 0;
    const double invocations = kernel_invocations(s->kernel, dims, shape, s->request->device);
    const double iterations = (double)kernel_depth(s->kernel, dims, shape);
    return fmax(fmax(invocations / s->limits->invocations, invocations * iterations / s->limits->steps),
        iterations / s->limits->iterations);
}

bool sampler_is_legal(const struct case_sampler *s, const int64_t *dims, const struct shape *shape) {
    struct trial trial = {.kernel = s->kernel,
        .dtype = s->dtype,
        .dims = dims,
        .device = s->request->device,
        .memory_share = s->request->suite->settings.memory_share,
        .arena = s->crossing->arena};
    return !trial_both(&trial, shape);
}

// Sets a dim if the operator accepts it, the shape can still run, and the problem stays or becomes affordable. A size
// refused by a rule becomes the next allowed one.
static bool try_size(
    const struct case_sampler *s, const struct shape *shape, int64_t *dims, int dim, int64_t size, enum rules_way way) {
    int64_t tried[OPERATOR_DIMS * 2];
    memcpy(tried, dims, sizeof tried);
    tried[dim] = size;
    if (!rules_meet(s->kernel, shape, way, dim, tried) && operator_derive(s->kernel->op, tried)) return false;
    double cost = sampler_cost(s, tried), launch = cost_of_launch(s, tried, shape);
    if (cost > 1 && cost > sampler_cost(s, dims)) return false;
    if (launch > 1 && launch > cost_of_launch(s, dims, shape)) return false;
    if (!sampler_is_legal(s, tried, shape) && sampler_is_legal(s, dims, shape)) return false;
    memcpy(dims, tried, sizeof tried);
    return true;
}

bool sampler_affords(const struct case_sampler *s, const struct shape *shape, int64_t *dims) {
    return !operator_derive(s->kernel->op, dims) && sampler_cost(s, dims) <= 1 && cost_of_launch(s, dims, shape) <= 1 &&
           sampler_is_legal(s, dims, shape);
}

bool sampler_is_size(const struct op *op, int dim) {
    return !operator_option(op, dim);
}

// Raises a dim that another one limits: a position is below a capacity, and k is at most a row.
static bool try_with_limit(
    const struct case_sampler *s, const struct shape *shape, int64_t *dims, int dim, int64_t size) {
    int64_t tried[OPERATOR_DIMS * 2];
    memcpy(tried, dims, sizeof tried);
    tried[dim] = size;
    if (size <= dims[dim] || !operator_derive(s->kernel->op, tried)) return false;
    for (int d = 0; d < operator_dims(s->kernel->op); d++) {
        memcpy(tried, dims, sizeof tried);
        if (d == dim || !sampler_is_size(s->kernel->op, d) || !try_size(s, shape, tried, d, dims[d] + size, RULES_UP) ||
            !try_size(s, shape, tried, dim, size, RULES_UP) || tried[dim] <= dims[dim])
            continue;
        memcpy(dims, tried, sizeof tried);
        return true;
    }
    return false;
}

bool sampler_set_size(const struct case_sampler *s, const struct shape *shape, int64_t *dims, int dim, int64_t size) {
    int64_t block = dtype_info(s->dtype)->elements;
    return try_with_limit(s, shape, dims, dim, size) || try_size(s, shape, dims, dim, size, RULES_UP) ||
           try_size(s, shape, dims, dim, size, RULES_DOWN) ||
           (size % block && try_size(s, shape, dims, dim, (size + block - 1) / block * block, RULES_UP));
}

struct point sampler_start(struct case_sampler *s) {
    struct point point = s->crossing->items[s->bases[s->turn++ % s->base_count]];
    kernel_params_conform(s->kernel, point.params);
    return point;
}

bool sampler_add(struct case_sampler *s, struct point *point, const struct shape *shape, int *added) {
    point->shape = *shape;
    point->refused = NULL;
    if (!sampler_is_legal(s, point->dims, shape) || cost_of_launch(s, point->dims, shape) > 1) return true;
    ++*added;
    return cross_add(s->crossing, *point);
}

bool sampler_add_near(struct case_sampler *s, struct point *point, const struct shape *shape, int *added) {
    rules_meet(s->kernel, shape, RULES_UP, -1, point->dims);
    return sampler_add(s, point, shape, added);
}

bool sampler_tiles(struct case_sampler *s, const struct shape *shape, int64_t more, int *added) {
    struct point point = sampler_start(s);
    int count = operator_dims(s->kernel->op), first = (int)sampler_draw_below(s, (size_t)count);
    for (int i = 0; i < count; i++) {
        int64_t widths[EDGE_WIDTHS];
        int dim = (first + i) % count;
        if (edge_widths(s->kernel, shape, dim, widths)) sampler_set_size(s, shape, point.dims, dim, widths[0] + more);
    }
    return sampler_add_near(s, &point, shape, added);
}

bool sampler_is_planned(const struct case_sampler *s, const struct point *point) {
    for (size_t i = s->first; i < s->crossing->count; i++) {
        const struct point *other = &s->crossing->items[i];
        bool same = memcmp(other->dims, point->dims, sizeof point->dims) == 0 &&
                    shape_equal(s->kernel, &other->shape, &point->shape);
        for (int p = 0; p < OPERATOR_PARAMS; p++) same &= other->params[p] == point->params[p];
        if (same) return true;
    }
    return false;
}

struct point sampler_thin(struct case_sampler *s, const struct shape *shape, int dim) {
    static const int64_t least[] = {1, 2, 4, 8}; // a dim may have to be even, or a multiple of a vector
    struct point point = sampler_start(s);
    for (int d = 0; d < operator_dims(s->kernel->op); d++)
        for (size_t i = 0; d != dim && i < sizeof least / sizeof *least && least[i] < point.dims[d]; i++)
            if (sampler_set_size(s, shape, point.dims, d, least[i])) break;
    return point;
}

struct shape sampler_finest(const struct case_sampler *s, const struct shape_sample *shapes) {
    struct shape best = shapes->items[0];
    double least = INFINITY;
    for (size_t i = 0; i < shapes->legal; i++) {
        double product = 1;
        for (int t = 0; t < s->kernel->tunable_count; t++) product *= (double)shapes->items[i].value[t] + 1;
        if (product >= least) continue;
        least = product;
        best = shapes->items[i];
    }
    return best;
}

// Returns whether the dim is a place that may be 0, such as a position in a cache: it is no operand's extent.
static bool is_place(const struct op *op, int dim) {
    bool may_be_zero = false;
    for (int i = 0; i < 4 && op->zero_ok[i]; i++) may_be_zero |= strcmp(op->zero_ok[i], op->dims[dim]) == 0;
    for (int i = 0; i < operator_operands(op); i++)
        for (int j = 0; j < operand_rank(op->operands[i].shape); j++)
            if (operator_dim_index(op, op->operands[i].shape[j]) == dim) return false;
    return may_be_zero && sampler_is_size(op, dim);
}

bool sampler_grows(const struct op *op, int dim) {
    if (operator_dims(op) <= SAMPLER_MANY_DIMS || is_place(op, dim)) return true;
    for (int i = 0; i < operator_operands(op); i++)
        if (op->operands[i].shape[0] && strcmp(op->operands[i].shape[0], op->dims[dim]) == 0) return true;
    return false;
}

bool sampler_is_first_type(const struct case_sampler *s) {
    int first = 0;
    while (first < (int)s->dtype && !s->kernel->dtypes[first]) first++;
    return first == (int)s->dtype;
}
