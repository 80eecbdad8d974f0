// SPDX-License-Identifier: Apache-2.0
#include "version1.h"

#include "record.h"

#include <math.h>
#include <string.h>

size_t version1_case_length(const char *name) {
    const char *shape = strstr(name, "/wg=");
    return shape ? (size_t)(shape - name) : strlen(name);
}

// Adds the case from the name: "matmul.tiled/f32/m=512/wg=16x16x1"; a part is
// "exp.scalar/f32/n=4/wg=64x1x1/bits=0000-ffff".
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

// Splits "host: why" into clock and clock_why; "gpu" stays.
static void split_clock(struct json_object *record, const char *clock) {
    const char *why = strstr(clock, ": ");
    if (!why) return;
    json_put_string(record, "clock_why", why + 2);
    json_put(record, "clock", json_object_new_string_len(clock, (int)(why - clock)));
}

// The sentences of version 1 about checks, each found by a phrase.
static const struct {
    const char *part;
    const char *key;
} sentences[] = {{" never written", "unwritten"}, {"wrote past the end of", "guard"}, {"wrote before operand", "guard"},
    {"wrote outside scratch buffer", "guard"}, {"changed its input", "input"}, {"a second run gave other bits", "bits"},
    {"packed into one buffer", "packed"}, {"validation layer: ", "validation"}};

static double number_of(struct json_object *value) {
    return json_object_is_type(value, json_type_string) || !value ? NAN : json_object_get_double(value);
}

static void add_failed(struct json_object *record, const char *reason) {
    struct json_object *failed = json_object_new_array(), *check = json_get(record, "check");
    if (strstr(reason, "are wrong") || strstr(reason, "is wrong") || strstr(reason, "give a wrong")) {
        struct json_object *worst = json_get(check, "worst");
        uint32_t bits = checks_of_worst(number_of(json_get(worst, "got")), number_of(json_get(worst, "want")),
            json_get_double(check, "max_ulp", NAN), json_get_double(check, "bound_ulp", NAN));
        if (bits & CHECK_ULP) json_object_array_add(failed, json_object_new_string("ulp"));
        if (bits & CHECK_CLASS) json_object_array_add(failed, json_object_new_string("class"));
    }
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        if (strstr(reason, sentences[i].part)) json_object_array_add(failed, json_object_new_string(sentences[i].key));
    json_put(record, "failed", failed);
}

void version1_record(struct json_object *record) {
    const char *name = json_get_string(record, "name", NULL);
    if (!json_object_is_type(record, json_type_object)) return;
    if (name && !json_object_object_get_ex(record, "case", NULL)) add_case(record, name);
    rename_member(record, "seeds", "systems");
    split_clock(record, json_get_string(record, "clock", ""));
    bool wrong = strcmp(json_get_string(record, "status", ""), record_status_name(RECORD_FAIL)) == 0;
    if (wrong && !json_object_object_get_ex(record, "failed", NULL))
        add_failed(record, json_get_string(record, "reason", ""));
}
