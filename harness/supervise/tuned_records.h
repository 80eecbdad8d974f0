// SPDX-License-Identifier: Apache-2.0
// Records of shapes that were searched, and what is said of their case.
#ifndef VKASSAY_SUPERVISE_TUNED_RECORDS_H
#define VKASSAY_SUPERVISE_TUNED_RECORDS_H

#include "tune_session.h"

// The member that the last record of a case carries in the journal: the case is done.
#define TUNED_CASE "tuned_case"

// The record, which is taken over, with all its samples. `wrong`: its status stays as it is and it has no times.
struct json_object *tuned_record(
    struct json_object *record, const struct summary *time, const double *samples, bool wrong);

// Makes the record one that failed, because `near`, the same shape at other dims, did not pass.
void tuned_record_fail(struct json_object *record, struct json_object *near);

// The product of the numbers of the tunables' values; SIZE_MAX on overflow.
size_t shapes_in_all(const struct kernel *kernel);

// An item of $.run.tuning.cases: how the case was searched, and what was pruned from its space and why.
struct json_object *tuned_about(const struct tuned_case *one, const struct point *points, size_t count);

#endif
