// SPDX-License-Identifier: Apache-2.0
// Ratios of times: of two medians with an interval, and of many by their geometric mean.
#ifndef VKASSAY_STATS_RATIO_H
#define VKASSAY_STATS_RATIO_H

#include "summary.h"

struct ratio {
    double value, lo, hi; // lo and hi NaN: no interval
};

// The median of `new` over that of `base`, with a 95 % interval made of the two medians' own intervals:
//     log lo = d - sqrt((log m' - log lo')^2 + (log hi - log m)^2),   d = log m' - log m,
// and the other end likewise. Distribution-free, as the two intervals are: Price and Bonett, "Distribution-free
// confidence intervals for difference and ratio of medians" (2002), with the ends kept apart as in Zou and Donner,
// "Construction of confidence limits about effect measures" (2008). It needs no raw samples. No interval below six
// samples of either. NaN throughout where a median is not above 0.
struct ratio ratio_of_medians(const struct summary *base, const struct summary *new);

// exp of the mean logarithm; values that are not finite and above 0 are passed over. NaN when none is left.
double geometric_mean(const double *values, size_t count);

#endif
