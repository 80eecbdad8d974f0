// SPDX-License-Identifier: Apache-2.0
#include "retry.h"

#include "expectations.h"
#include "../record/standing.h"

#include <string.h>

static bool passed(struct json_object *record) {
    return strcmp(json_get_string(record, "status", ""), record_status_name(RECORD_PASS)) == 0;
}

// That a part of an exhaustive check passes says nothing of the whole.
void retry_expect(const struct point *point, struct json_object *record) {
    if (!point->expected || !record || (point->inputs_count && passed(record))) return;
    expectation_note(point->expected, record);
}

bool retry_is_due(struct json_object *record) {
    return standing_is_bad(record_standing_json(record));
}

struct json_object *retry_join(struct json_object *first, struct json_object *second) {
    struct json_object *attempts = json_object_new_object(), *statuses = json_object_new_array();
    struct json_object *kept = passed(first) && !passed(second) ? second : first;
    json_object_array_add(statuses, json_object_new_string(json_get_string(first, "status", "")));
    json_object_array_add(statuses, json_object_new_string(json_get_string(second, "status", "")));
    json_put(attempts, "statuses", statuses);
    json_put_bool(attempts, "flaky", passed(first) != passed(second));
    json_put(kept, "attempts", attempts);
    json_object_put(kept == first ? second : first);
    return kept;
}
