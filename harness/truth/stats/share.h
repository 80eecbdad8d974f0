// SPDX-License-Identifier: Apache-2.0
// The share of events among independent trials.
#ifndef VKASSAY_STATS_SHARE_H
#define VKASSAY_STATS_SHARE_H

#include <stdint.h>

// Returns the 95 % interval of the true share, by the score (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927). It holds for
// few events too: 0 of n gives 0 to about 3.84 / n. 0 trials give 0 to 1.
struct share_interval {
    double low, high;
};
struct share_interval share_interval(int64_t events, int64_t trials);

#endif
