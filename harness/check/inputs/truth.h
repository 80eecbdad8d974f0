// SPDX-License-Identifier: Apache-2.0
// What the outputs of a case should be, which of them are checked, and what the scalar baseline costs.
#ifndef VKASSAY_RUN_TRUTH_H
#define VKASSAY_RUN_TRUTH_H

#include "problem_data.h"

struct range {
    int64_t first, count;
};

struct truth_output {
    int operand;
    struct range *ranges; // whole granules, ascending; everything, or a sample of a big output
    int64_t *offsets;     // of each range in want, magnitude, bound
    size_t range_count;
    int64_t total;                    // elements in the ranges
    double *want, *magnitude, *bound; // in the ranges' order; `bound` is one of truth.depths
};

// The bounds of all outputs at one summation depth and rounding.
struct truth_depth {
    int64_t depth;
    bool rte;
    double *bounds[OPERATOR_OPERANDS];
};

enum { TRUTH_DEPTHS = 8 }; // kept of one problem

struct truth {
    uint64_t key; // of the problem it belongs to; 0: empty
    struct truth_depth depths[TRUTH_DEPTHS];
    int depth_count, depth_now; // depth_now: whose bounds the outputs have
    struct truth_output outputs[OPERATOR_OPERANDS];
    int output_count;
    double baseline_ns;  // the float reference over all outputs, on one core; NaN: not timed
    bool extrapolated;   // timed over a part of the outputs
    double scale;        // whose time stands for this many times as many; 1 where all were timed
    double baseline_ulp; // largest error of the float reference in the ranges
};

// Brings *truth to this problem, depth and rounding; what it holds already is kept, bounds of other depths included.
// `time` adds the scalar baseline.
void truth_make(const struct problem *problem, const struct settings *settings, int64_t depth, bool rte, bool time,
    struct truth *truth);
// The scalar baseline alone: its time, without its error.
void truth_time(const struct problem *problem, const struct settings *settings, struct truth *truth);
// The bounds of an output were its kernel's sums of that depth: `total` of them, in the ranges' order.
void truth_bounds(
    const struct problem *problem, const struct truth_output *output, int64_t depth, bool rte, double *bounds);
void truth_free(struct truth *truth);

#endif
