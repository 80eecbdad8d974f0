// SPDX-License-Identifier: Apache-2.0
#include "whole_draws.h"

#include "../base/hash.h"
#include "../base/memory.h"

#include <math.h>
#include <stdlib.h>

// A sum of products: half an ULP for the sum and two for the products, where functions and divisions have more.
static const double sums_and_products = 1.5;
static const double most_range = 4096, least_range = 2;
enum { BITS_OF_TIES = 2 };

static int significand_of(const struct check_request *r) {
    const struct dtype_info *info = dtype_info(r->point->kernel->arithmetic);
    return info->is_float ? info->significand : 24;
}

// One of the draws that there are of a range, the first of which has shown how large its sums are.
static void draw(const struct check_request *r, double range, int number, struct whole_drawing *d) {
    const uint64_t key = hash_bytes(hash_bytes(d->key, &range, sizeof range), &number, sizeof number);
    problem_redraw(d->problem, key, range);
    truth_make(d->problem, d->settings, kernel_depth(r->point->kernel, r->point->dims, &r->point->shape), r->policy.rte,
        false, d->truth);
}

static bool is_float_output(const struct problem *problem, const struct truth_output *output) {
    return dtype_info(problem->operands[output->operand].dtype)->is_float;
}

// How many terms a mean is of; 1: it is none.
static double terms_of_mean(const struct problem *problem) {
    double terms = 1;
    for (int i = 0; i < 4 && problem->op->mean_over[i]; i++)
        terms *= (double)problem->dims[operator_dim_index(problem->op, problem->op->mean_over[i])];
    return terms;
}

// Sums that a mean is of go at most so far beyond the last of them: their terms are mostly of one sign.
static const double beyond_last = 1.25;

// Of what an output adds up, the most that it comes to.
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
    return most * terms_of_mean(problem);
}

// A wide range whose sums stay within so many bits, and need most of them; 0: there is none.
static double range_of(const struct check_request *r, int bits, struct whole_drawing *d) {
    static const double shares[] = {7, 6, 5, 4}; // quarters
    for (double range = most_range; range >= least_range; range /= 2) {
        draw(r, range, 0, d);
        if (largest_sum(d->problem, d->truth) > ldexp(1, bits)) continue;
        for (int i = 0; i < 4; i++) {
            draw(r, floor(range * shares[i] / 4), 0, d);
            if (largest_sum(d->problem, d->truth) <= ldexp(1, bits)) return floor(range * shares[i] / 4);
        }
    }
    return 0;
}

static bool fits(double want, double magnitude, int bits) {
    return isfinite(want) && want == nearbyint(want) && magnitude <= ldexp(1, bits);
}

// Sets the bounds of exact outputs; how many there are.
static int64_t mark_exact(const struct check_request *r, const struct problem *problem, struct truth_output *output) {
    int64_t exact = 0;
    if (!is_float_output(problem, output)) return 0;
    double *plain = memory_alloc((size_t)output->total + 1, sizeof *plain);
    truth_bounds(problem, output, 1, r->policy.rte, plain);
    for (int64_t i = 0; i < output->total; i++) {
        if (!(output->bound[i] > 0) || plain[i] > sums_and_products ||
            !fits(output->want[i], output->magnitude[i], significand_of(r)))
            continue;
        output->bound[i] = 0.5;
        exact++;
    }
    free(plain);
    return exact;
}

static int64_t mark_all(const struct check_request *r, const struct problem *problem, struct truth *truth) {
    int64_t exact = 0;
    for (int o = 0; o < truth->output_count; o++) exact += mark_exact(r, problem, &truth->outputs[o]);
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

struct whole_draws whole_draws_find(const struct check_request *r, struct whole_drawing *d) {
    struct whole_draws draws = {.means = d->problem->op->mean_over[0] != NULL};
    const double range = r->policy.rte ? range_of(r, significand_of(r), d) : 0;
    if (range == 0 || (!draws.means && !mark_all(r, d->problem, d->truth))) return draws;
    const int bits = narrowest_output(d->problem, d->truth);
    draws.range[draws.count++] = range;
    if (draws.means || bits >= significand_of(r)) return draws;
    const double ties = range_of(r, bits + BITS_OF_TIES, d);
    if (ties > 0) draws.range[draws.count++] = ties;
    return draws;
}

void whole_draw_make(
    const struct check_request *r, const struct whole_draws *draws, int number, struct whole_drawing *d) {
    draw(r, draws->range[number % draws->count], number / draws->count, d);
    mark_all(r, d->problem, d->truth);
}
