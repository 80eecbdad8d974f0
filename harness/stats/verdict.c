// SPDX-License-Identifier: Apache-2.0
#include "verdict.h"

#include <math.h>

const char *verdict_name(enum verdict verdict) {
    static const char *const names[VERDICT_COUNT] = {
        [VERDICT_WRONG] = "wrong",
        [VERDICT_SLOWER] = "slower",
        [VERDICT_AMBIGUOUS] = "ambiguous",
        [VERDICT_REMOVED] = "removed",
        [VERDICT_FIXED] = "fixed",
        [VERDICT_FASTER] = "faster",
        [VERDICT_NEW] = "new",
        [VERDICT_SAME] = "same",
    };
    return names[verdict];
}

enum verdict verdict_of_times(const struct ratio *ratio, double p, double effect, const char **why) {
    const double level = 0.05;
    *why = NULL;
    if (!isfinite(ratio->lo) || !isfinite(ratio->hi)) {
        *why = "too few samples";
        return VERDICT_AMBIGUOUS;
    }
    if (ratio->lo >= 1 / (1 + effect) && ratio->hi <= 1 + effect) return VERDICT_SAME;
    bool above = ratio->lo > 1 + effect, below = ratio->hi < 1 / (1 + effect);
    if (!above && !below) {
        *why = "the interval crosses the band";
        return VERDICT_AMBIGUOUS;
    }
    if (p > level) {
        *why = "the rank test sees no difference";
        return VERDICT_AMBIGUOUS;
    }
    return above ? VERDICT_SLOWER : VERDICT_FASTER;
}
