// SPDX-License-Identifier: Apache-2.0
// A second attempt at a point that came out otherwise than expected: it tells what is wrong from what is flaky.
#ifndef VKASSAY_SUPERVISE_RETRY_H
#define VKASSAY_SUPERVISE_RETRY_H

#include "../plan/point.h"

#include <json-c/json.h>

// Notes in a record what is expected of its point.
void retry_expect(const struct point *point, struct json_object *record);

// Whether the record calls for a second attempt.
bool retry_is_due(struct json_object *record);

// The record of a point from two attempts: the one that did not pass, the first where neither did, with both statuses.
// Takes both over.
struct json_object *retry_join(struct json_object *first, struct json_object *second);

#endif
