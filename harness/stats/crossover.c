// SPDX-License-Identifier: Apache-2.0
#include "crossover.h"

#include <math.h>
#include <stdbool.h>

enum crossover crossover_find(
    const double *sizes, const double *gpu, const double *scalar, size_t count, double *size) {
    bool any = false;
    double upper_size = NAN, upper = NAN; // the next larger size, where the GPU is the faster, and
                                          // log(gpu / scalar) there
    for (size_t i = count; i-- > 0;) {
        double here = log(gpu[i] / scalar[i]);
        if (!isfinite(here) || !(sizes[i] > 0)) continue;
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
