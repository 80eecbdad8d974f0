// SPDX-License-Identifier: Apache-2.0
#include "crossover.h"

#include "format.h"

#include <math.h>

enum crossover crossover_find(
    const double *sizes, const double *gpu, const double *scalar, size_t count, double *size) {
    bool any = false;
    double upper_size = NAN, upper = NAN; // the next larger size, where the GPU is the faster, and
                                          // log(gpu / scalar) there
    for (size_t i = count; i-- > 0;) {
        double here = log(gpu[i] / scalar[i]);
        if (!isfinite(here) || !measured(sizes[i])) continue;
        if (here >= 0 && !any) return CROSSOVER_NEVER;
        any = true;
        if (here >= 0) {
            double step = here / (here - upper);
            *size = exp(log(sizes[i]) + step * (log(upper_size) - log(sizes[i])));
            return CROSSOVER_AT;
        }
        upper_size = sizes[i];
        upper = here;
    }
    return any ? CROSSOVER_ALWAYS : CROSSOVER_NONE;
}

void put_crossover(struct text *out, const char *what, enum crossover found, const char *at) {
    switch (found) {
    case CROSSOVER_ALWAYS:
        text_format(out, "%s: GPU faster at every size measured", what);
        break;
    case CROSSOVER_NEVER:
        text_format(out, "%s: scalar reference faster at the largest size measured", what);
        break;
    case CROSSOVER_AT:
        text_format(out, "%s: GPU faster from about %s on", what, at);
        break;
    case CROSSOVER_NONE:
        text_format(out, "%s: not measured", what);
        break;
    }
}

double reference_ns(const struct view_case *c) {
    for (size_t i = 0; i < c->count; i++)
        if (measured(c->records[i]->reference.ns)) return c->records[i]->reference.ns;
    return NAN;
}
