// SPDX-License-Identifier: Apache-2.0
#include "whole.h"

#include "../base/json.h"
#include "../base/fields.h"

#include <inttypes.h>

void whole_put(struct json_object *run, const char *why, int64_t left) {
    json_put_bool(run, "complete", !why);
    json_put(run, "why", json_text(why));
    json_put(run, "left", left == WHOLE_UNKNOWN ? NULL : json_object_new_int64(left));
}

bool whole_is(struct json_object *run) {
    return json_get_bool(run, "complete", true);
}

const char *whole_words(struct arena *arena, struct json_object *run) {
    if (whole_is(run)) return NULL;
    const char *why = json_get_string(run, "why", "no reason is given");
    int64_t left = json_get_int(run, "left", WHOLE_UNKNOWN);
    return left == WHOLE_UNKNOWN ? arena_format(arena, "cut short: %s", why)
                                 : arena_format(arena, "cut short: %s; %" PRId64 " left", why, left);
}
