// SPDX-License-Identifier: Apache-2.0
#include "stand_in.h"

struct json_object *stand_in(
    const struct session *session, const struct point *point, enum record_status status, const char *reason) {
    struct arena scratch = {0};
    struct record record;
    runner_describe(point, session->options.seed, &scratch, &record);
    record.status = status;
    record.reason = reason;
    struct json_object *json = record_to_json(&record, false);
    arena_free(&scratch);
    return json;
}
