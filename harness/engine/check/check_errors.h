// SPDX-License-Identifier: Apache-2.0
// The check of a point with inputs drawn anew several times, and the statistics of its errors (judge/errors.h).
#ifndef VKASSAY_CHECK_CHECK_ERRORS_H
#define VKASSAY_CHECK_CHECK_ERRORS_H

#include "check.h"

// Checks the point with each draw of its inputs; only the first draw has the whole check. Judges the statistics if
// rounding to nearest is declared. Operators exact for whole numbers then have draws of these (whole_draws.h). The
// figures are in record->check.errors. *problem and *truth become those of the last draw. Returns false if the device
// failed.
bool check_draws(const struct check_request *request, struct problem *problem, struct truth *truth,
    const struct settings *settings, struct arena *arena, struct record *record, struct error *err);

#endif
