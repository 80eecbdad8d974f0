// SPDX-License-Identifier: Apache-2.0
#include "whole_draws.h"

#include "../../../base/hash.h"
#include "../../../base/memory.h"
#include "../../../../reference/operator.h"
#include "../../../../reference/table.h"

#include <math.h>
#include <stdlib.h>

static const double most_range = 4096, least_range = 2, most_outlier = 0x1p23, least_outlier = 256;
static const int64_t least_with_outlier = 16; // elements
enum { BITS_OF_TIES = 2 };

static int significand_of(const struct check_request *r) {
    const struct dtype_info *info = dtype_info(r->point->kernel->arithmetic);
    return info->is_float ? info->significand : 24;
}

// Makes draw `number` of a kind. Number 0 is made first, to find how large its sums are.
static void draw(const struct check_request *r, const struct redraw *kind, int number, struct whole_drawing *d) {
    const double with_outlier = kind->with_outlier;
    uint64_t key = hash_bytes(d->key, &kind->range, sizeof kind->range);
    key = hash_bytes(hash_bytes(key, &kind->outlier, sizeof kind->outlier), &with_outlier, sizeof with_outlier);
    key = hash_bytes(key, &number, sizeof number);
    problem_redraw(d->problem, key, kind);
    truth_make(d->problem, d->settings, kernel_depth(r->point->kernel, r->point->dims, &r->point->shape), r->policy.rte,
        false, d->truth);
}

static bool is_float_output(const struct problem *problem, const struct truth_output *output) {
    return dtype_info(problem->operands[output->operand].dtype)->is_float;
}

// Partial sums of a mean exceed its last one at most by this factor, because its terms are mostly of one sign.
static const double beyond_last = 1.25;

// Returns the largest sum of an output's terms.
static double largest_sum(const struct problem *problem, const struct truth *truth) {
    const bool mean = problem->op->mean_over[0];
    double most = 0;
    for (int o = 0; o < truth->output_count; o++) {
        const struct truth_output *output = &truth->outputs[o];
        for (int64_t i = 0; is_float_output(problem, output) && i < output->total; i++) {
            const double sum = mean ? fabs(output->want[i]) * beyond_last : output->magnitude[i];
            if (isfinite(sum)) most = fmax(most, sum);
        }
    }
    return most * operator_mean_terms(problem->op, problem->dims);
}

static bool holds(const struct check_request *r, const struct redraw *kind, int bits, struct whole_drawing *d) {
    draw(r, kind, 0, d);
    return largest_sum(d->problem, d->truth) <= ldexp(1, bits);
}

// Sets *number to a large value up to `most`. Sums then need most of `bits` and stay within them. Returns false if
// there is none from `least` on.
static bool enlarge(const struct check_request *r, struct redraw *kind, double *number, double most, double least,
    int bits, struct whole_drawing *d) {
    static const double shares[] = {7, 6, 5, 4}; // quarters
    for (int halvings = 0; ldexp(most, -halvings) >= least; halvings++) {
        const double size = ldexp(most, -halvings);
        *number = size;
        if (!holds(r, kind, bits, d)) continue;
        for (int i = 0; i < 4; i++) {
            *number = floor(size * shares[i] / 4);
            if (holds(r, kind, bits, d)) return true;
        }
    }
    return false;
}

static void add_range(const struct check_request *r, int bits, struct whole_draws *draws, struct whole_drawing *d) {
    struct redraw *kind = &draws->kinds[draws->count];
    draws->count += enlarge(r, kind, &kind->range, most_range, least_range, bits, d);
}

static void add_outliers(const struct check_request *r, struct whole_draws *draws, struct whole_drawing *d) {
    for (int i = 0; i < d->problem->operand_count; i++) {
        const struct operand_data *operand = &d->problem->operands[i];
        if (!problem_takes_whole(d->problem, i) || operand->is_fixed || operand->elements < least_with_outlier)
            continue;
        struct redraw *kind = &draws->kinds[draws->count];
        *kind = (struct redraw){.range = least_range, .with_outlier = i};
        const double most = fmin(most_outlier, ldexp(1, ilogb(dtype_info(operand->dtype)->largest) - 1));
        if (!enlarge(r, kind, &kind->outlier, most, least_outlier, significand_of(r), d)) continue;
        draws->count++;
        draws->with_outlier++;
    }
}

// Sets the bounds of exact outputs and returns their number. *other: some are more than sums and products.
static int64_t mark_exact(
    const struct check_request *r, const struct problem *problem, struct truth_output *output, bool *other) {
    int64_t exact = 0;
    if (!is_float_output(problem, output)) return 0;
    double *plain = memory_alloc((size_t)output->total + 1, sizeof *plain);
    truth_bounds(problem, output, 1, r->policy.rte, plain);
    for (int64_t i = 0; i < output->total; i++) {
        const double want = output->want[i];
        *other = *other || plain[i] > SUMS_AND_PRODUCTS;
        if (!(output->bound[i] > 0) || plain[i] > SUMS_AND_PRODUCTS || !isfinite(want) || want != nearbyint(want) ||
            !(output->magnitude[i] <= ldexp(1, significand_of(r))))
            continue;
        output->bound[i] = 0.5;
        exact++;
    }
    free(plain);
    return exact;
}

// Marks exact outputs. In draws with an outlier it skips outputs known to be more than sums and products.
static int64_t mark_all(const struct check_request *r, struct whole_drawing *d, bool with_outlier) {
    int64_t exact = 0;
    for (int o = 0; o < d->truth->output_count; o++)
        if (!with_outlier || !d->other[o]) exact += mark_exact(r, d->problem, &d->truth->outputs[o], &d->other[o]);
    return exact;
}

static int narrowest_output(const struct problem *problem, const struct truth *truth) {
    int bits = 24;
    for (int o = 0; o < truth->output_count; o++) {
        const struct dtype_info *info = dtype_info(problem->operands[truth->outputs[o].operand].dtype);
        if (info->is_float && info->significand < bits) bits = info->significand;
    }
    return bits;
}

// Returns whether an input is of blocks with a scale each. Their sums have bits below 1, so one that is whole by
// coincidence need not be exact.
static bool has_scaled_blocks(const struct problem *problem) {
    for (int i = 0; i < problem->operand_count; i++)
        if (problem->operands[i].role != ROLE_OUT && dtype_info(problem->operands[i].dtype)->elements > 1) return true;
    return false;
}

struct whole_draws whole_draws_find(const struct check_request *r, struct whole_drawing *d) {
    if (has_scaled_blocks(d->problem)) return (struct whole_draws){0};
    struct whole_draws draws = {.means = d->problem->op->mean_over[0] != NULL};
    if (r->policy.rte) add_range(r, significand_of(r), &draws, d);
    if (!draws.count || (!draws.means && !mark_all(r, d, false))) return (struct whole_draws){0};
    const int bits = narrowest_output(d->problem, d->truth);
    draws.kinds[draws.count].positive = true; // sums that cancel are too small for ties
    if (!draws.means && bits < significand_of(r)) add_range(r, bits + BITS_OF_TIES, &draws, d);
    draws.kinds[draws.count].positive = false;
    add_outliers(r, &draws, d);
    return draws;
}

void whole_draw_make(const struct check_request *r, const struct redraw *kind, int number, struct whole_drawing *d) {
    draw(r, kind, number, d);
    mark_all(r, d, kind->outlier != 0);
}

void draw_with_outlier_make(const struct check_request *r, int number, struct whole_drawing *d) {
    draw(r, &(struct redraw){.as_declared = true}, number, d);
}
