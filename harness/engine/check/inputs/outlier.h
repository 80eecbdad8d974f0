// SPDX-License-Identifier: Apache-2.0
// The values of an operand with an outlier (operator.h). Each line has one number so large that the others equal about
// its ULP.
#ifndef VKASSAY_CHECK_OUTLIER_H
#define VKASSAY_CHECK_OUTLIER_H

#include "../../../../reference/philox.h"
#include "fill.h"

// The places of outliers in an operand. The request's `outlier` is not NULL.
struct with_outlier {
    const struct outlier *outlier;
    uint64_t key;
    int64_t length, beyond; // places in a line; elements within one place
};
struct with_outlier with_outlier_of(const struct fill_request *request);

// Returns element i. Its random bits are in block->v[i & 3] and the other words.
double outlier_at(const struct with_outlier *with_outlier, int64_t i, const struct philox *block);

#endif
