// SPDX-License-Identifier: Apache-2.0
// The values of an operand with a spike (operator.h): one large number in each line, whose ULP is what the others are.
#ifndef VKASSAY_RUN_SPIKE_H
#define VKASSAY_RUN_SPIKE_H

#include "../../../reference/philox.h"
#include "fill.h"

// Where they stand in the operand of a request, whose `spike` is not NULL.
struct spiked {
    const struct spike *spike;
    uint64_t key;
    int64_t length, beyond; // places in a line; elements of what lies within one of them
};
struct spiked spiked_of(const struct fill_request *request);

// Element i, whose random bits are those of block->v[i & 3] and of the others.
double spike_at(const struct spiked *spiked, int64_t i, const struct philox *block);

#endif
