// SPDX-License-Identifier: Apache-2.0
// A point whose inputs are drawn anew several times, and the statistics of its errors over all draws (judge/errors.h).
#ifndef VKASSAY_RUN_CHECK_ERRORS_H
#define VKASSAY_RUN_CHECK_ERRORS_H

#include "check.h"

// Checks the point with each draw of its inputs, of which the first has the whole check, and judges the statistics
// where rounding to nearest is declared; then, of operators that are exact for whole numbers, draws of these
// (whole_draws.h). What it comes to stands in record->check.errors. *problem and *truth are those
// of the last draw then. False: the device failed.
bool check_draws(const struct check_request *request, struct problem *problem, struct truth *truth,
    const struct settings *settings, struct arena *arena, struct record *record, struct error *err);

#endif
