// SPDX-License-Identifier: Apache-2.0
// The values of an operand with a spike (operator.h). Each line has one number so large that the others equal about
// its ULP.
#ifndef VKASSAY_CHECK_SPIKE_H
#define VKASSAY_CHECK_SPIKE_H

#include "../../../reference/philox.h"
#include "fill.h"

// The places of spikes in an operand. The request's `spike` is not NULL.
struct spiked {
    const struct spike *spike;
    uint64_t key;
    int64_t length, beyond; // places in a line; elements within one place
};
struct spiked spiked_of(const struct fill_request *request);

// Returns element i. Its random bits are in block->v[i & 3] and the other words.
double spike_at(const struct spiked *spiked, int64_t i, const struct philox *block);

#endif
