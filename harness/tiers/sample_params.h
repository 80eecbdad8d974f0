// SPDX-License-Identifier: Apache-2.0
// Which values of an operator's parameters are sampled. Private to the sampled tier.
#ifndef VKASSAY_PLAN_SAMPLE_PARAMS_H
#define VKASSAY_PLAN_SAMPLE_PARAMS_H

#include "../../reference/operator.h"
#include "covering.h"

struct param_values {
    double value[OPERATOR_PARAMS];
};

struct param_sample {
    struct param_values *items; // first the defaults
    size_t count;
    struct covering_facts pairs;
};

// The defaults, and such as meet every telling value, a value drawn between them, and every pair of these of two
// parameters. The defaults alone where no parameter declares any.
struct param_sample sample_params(struct arena *arena, const struct op *op, uint64_t key);

#endif
