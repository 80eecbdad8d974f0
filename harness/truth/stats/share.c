// SPDX-License-Identifier: Apache-2.0
#include "share.h"

#include <math.h>

struct share_interval share_interval(int64_t events, int64_t trials) {
    const double z = 1.959963984540054, n = (double)trials, p = trials ? (double)events / n : 0;
    if (!trials) return (struct share_interval){0, 1};
    const double middle = p + z * z / (2 * n), half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    const double under = 1 + z * z / n;
    return (struct share_interval){events ? (middle - half) / under : 0, events < trials ? (middle + half) / under : 1};
}
