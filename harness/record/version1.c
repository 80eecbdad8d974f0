// SPDX-License-Identifier: Apache-2.0
#include "version1.h"

#include "../base/json.h"

#include <string.h>

size_t version1_case_length(const char *name) {
    const char *shape = strstr(name, "/wg=");
    return shape ? (size_t)(shape - name) : strlen(name);
}

// By its name: "matmul.tiled/f32/m=512/wg=16x16x1", and of a part "exp.scalar/f32/n=4/wg=64x1x1/bits=0000-ffff".
static void add_case(struct json_object *record, const char *name) {
    json_put(record, "case", json_object_new_string_len(name, (int)version1_case_length(name)));
    if (strstr(name, "/bits=")) json_put_bool(record, "part", true);
}

static void rename_member(struct json_object *record, const char *old, const char *new) {
    struct json_object *value;
    if (!json_object_object_get_ex(record, old, &value) || json_object_object_get_ex(record, new, NULL)) return;
    json_put(record, new, json_object_get(value));
    json_object_object_del(record, old);
}

void version1_record(struct json_object *record) {
    const char *name = json_get_string(record, "name", NULL);
    if (!json_object_is_type(record, json_type_object)) return;
    if (name && !json_object_object_get_ex(record, "case", NULL)) add_case(record, name);
    rename_member(record, "seeds", "systems");
}
