// SPDX-License-Identifier: Apache-2.0
// What a comparison says of one point.
#ifndef VKASSAY_STATS_VERDICT_H
#define VKASSAY_STATS_VERDICT_H

#include "ratio.h"

enum verdict { // in the order of what matters
    VERDICT_WRONG,
    VERDICT_SLOWER,
    VERDICT_AMBIGUOUS,
    VERDICT_REMOVED,
    VERDICT_FIXED,
    VERDICT_FASTER,
    VERDICT_NEW,
    VERDICT_SAME,
    VERDICT_COUNT
};
const char *verdict_name(enum verdict verdict); // "wrong", ... "same"

// Of a ratio of times (new over base) alone. The band of what counts as equal reaches from 1 / (1 + effect) to 1 +
// effect.
//   same       the interval lies within the band
//   slower     it lies above the band, and the test agrees: p at most 0.05; faster likewise below
//   ambiguous  it reaches across an edge of the band, the test disagrees, or there is no interval
// p is that of a test of no difference, corrected for all that were made; NaN: no test, and the interval decides alone.
// *why receives the reason of an ambiguous one, else NULL.
enum verdict verdict_of_times(const struct ratio *ratio, double p, double effect, const char **why);

#endif
