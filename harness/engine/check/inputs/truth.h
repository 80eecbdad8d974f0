// SPDX-License-Identifier: Apache-2.0
// The expected outputs of a case, the choice of checked ones, and the cost of the scalar baseline.
#ifndef VKASSAY_CHECK_TRUTH_H
#define VKASSAY_CHECK_TRUTH_H

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
    uint64_t key; // of its problem; 0: empty
    struct truth_depth depths[TRUTH_DEPTHS];
    int depth_count, depth_now; // depth_now: index of the bounds in use
    struct truth_output outputs[OPERATOR_OPERANDS];
    int output_count;
    double baseline_ns;  // the float reference over all outputs, on one core; NaN: not timed
    bool extrapolated;   // only a part of the outputs was timed
    double scale;        // all outputs divided by timed outputs; 1 if all were timed
    double baseline_ulp; // largest error of the float reference in the ranges
};

// Updates *truth to this problem, depth and rounding. It keeps what is still valid, bounds of other depths included.
// `time` adds the scalar baseline. An operator without a reference leaves it empty.
void truth_make(const struct problem *problem, const struct settings *settings, int64_t depth, bool rte, bool time,
    struct truth *truth);
// Finds the largest error of the scalar baseline, if it is not known. Outputs of one granule get it from the
// timed run instead, since it is as long.
void truth_measure_error(const struct problem *problem, struct truth *truth);
// Times the scalar baseline only, without its error.
void truth_time(const struct problem *problem, const struct settings *settings, struct truth *truth);
// Computes the bounds of an output for sums of this depth: `total` of them, in the ranges' order.
void truth_bounds(
    const struct problem *problem, const struct truth_output *output, int64_t depth, bool rte, double *bounds);
void truth_free(struct truth *truth);

#endif
