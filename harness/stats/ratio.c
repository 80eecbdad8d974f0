// SPDX-License-Identifier: Apache-2.0
#include "ratio.h"

#include <math.h>

enum { LEAST_SAMPLES = 6 }; // fewer bracket no median with 95 %

static bool has_interval(const struct summary *s) {
    return s->samples >= LEAST_SAMPLES && s->lo > 0 && s->lo <= s->median && s->median <= s->hi && isfinite(s->hi);
}

struct ratio ratio_of_medians(const struct summary *base, const struct summary *new) {
    struct ratio ratio = {NAN, NAN, NAN};
    if (!(base->median > 0) || !(new->median > 0) || !isfinite(base->median) || !isfinite(new->median)) return ratio;
    ratio.value = new->median / base->median;
    if (!has_interval(base) || !has_interval(new)) return ratio;
    double below = hypot(log(new->median / new->lo), log(base->hi / base->median));
    double above = hypot(log(new->hi / new->median), log(base->median / base->lo));
    ratio.lo = ratio.value * exp(-below);
    ratio.hi = ratio.value * exp(above);
    return ratio;
}

double geometric_mean(const double *values, size_t count) {
    double sum = 0;
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (!(values[i] > 0) || !isfinite(values[i])) continue;
        sum += log(values[i]);
        used++;
    }
    return used ? exp(sum / (double)used) : NAN;
}
