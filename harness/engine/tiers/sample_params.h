// SPDX-License-Identifier: Apache-2.0
// The parameter values of an operator in the sampled tier. Private to the sampled tier.
#ifndef VKASSAY_TIERS_SAMPLE_PARAMS_H
#define VKASSAY_TIERS_SAMPLE_PARAMS_H

#include "../../../reference/signature.h"
#include "covering.h"

struct param_values {
    double value[OPERATOR_PARAMS];
};

struct param_sample {
    struct param_values *items; // the defaults first
    size_t count;
    struct covering_counts pairs;
};

// Chooses settings of the parameters: the defaults, then others. Together they have every telling value, a drawn
// value, and every pair of values of two parameters. The operator's settings `together` are last. If no parameter
// declares telling values, it returns only the defaults and these.
struct param_sample sample_params(struct arena *arena, const struct op *op, uint64_t key);

#endif
