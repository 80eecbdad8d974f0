// SPDX-License-Identifier: Apache-2.0
// Records of searched shapes, and the JSON about their case.
#ifndef VKASSAY_SUPERVISE_TUNED_RECORDS_H
#define VKASSAY_SUPERVISE_TUNED_RECORDS_H

#include "tune_session.h"

// A member of the case's last record; it marks the case as done, and is as in $.run.tuning.cases.
#define TUNED_CASE "tuned_case"

// Returns the record, taken over, with all its samples. `wrong`: it keeps its status and has no times.
struct json_object *tuned_record(
    struct json_object *record, const struct summary *time, const double *samples, bool wrong);

// Makes the record a failure, because `near`, the same shape at other dims, did not pass.
void tuned_record_fail(struct json_object *record, struct json_object *near);

// Returns how many shapes the tunables' values make in all; SIZE_MAX on overflow.
size_t shapes_in_all(const struct kernel *kernel);

// Makes an item of $.run.tuning.cases: how the case was searched, what was pruned from its space, and why.
struct json_object *tuned_about(const struct tuned_case *one, const struct point *points, size_t count);

// Makes $.run.tuning.
struct json_object *tuned_tuning(double budget_s, struct json_object *cases);

#endif
