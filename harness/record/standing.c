// SPDX-License-Identifier: Apache-2.0
#include "standing.h"

#include "parts.h"

#include <string.h>

// ---- the record's members

// Returns the words for anything but a pass. Compiling has no expectations.
static const char *expected_word(int i) {
    return i == RECORD_COMPILED ? EXPECTED_FLAKE : record_status_name((enum record_status)i);
}
const struct enum_words expected_words = {
    expected_word, RECORD_PASS + 1, RECORD_COMPILED + 1, "fail, error, timeout, crash, device-lost, flake or skip"};

static const struct field expected_fields[] = {
    {"status", KIND(kind_text, .words = &expected_words), AT(expected.status), REQUIRED},
    {"reason", &kind_text, AT(expected.reason), REQUIRED},
    {0},
};
GROUP_KIND(, expected, expected_fields, record->expected.status)

static const struct field attempts_fields[] = {
    {"statuses", ROOM_LIST(struct record, attempts.statuses, attempts.count, &kind_status, 1, RECORD_ATTEMPTS), WHOLE,
        REQUIRED},
    {"flaky", &kind_flag, AT(attempts.flaky), REQUIRED},
    {0},
};
GROUP_KIND(, attempts, attempts_fields, record->attempts.count > 0)

static enum standing standing_of(const char *status, const char *expected, bool flaky) {
    bool passed = strcmp(status, record_status_name(RECORD_PASS)) == 0;
    if (strcmp(status, record_status_name(RECORD_SKIP)) == 0) return STANDING_GOOD;
    if (strcmp(status, record_status_name(RECORD_COMPILED)) == 0) return STANDING_GOOD;
    if (expected && strcmp(expected, EXPECTED_FLAKE) == 0) return passed ? STANDING_GOOD : STANDING_KNOWN_FLAKE;
    if (!expected || strcmp(expected, EXPECTED_SKIP) == 0) return passed ? STANDING_GOOD : STANDING_WRONG;
    if (passed || flaky) return STANDING_UNEXPECTED_PASS;
    return strcmp(status, expected) == 0 ? STANDING_EXPECTED_FAILURE : STANDING_WRONG;
}

enum standing record_standing(const struct record *record) {
    return standing_of(record_status_name(record->status), record->expected.status, record->attempts.flaky);
}

enum standing record_standing_json(struct json_object *record) {
    return standing_of(json_get_string(record, "status", ""),
        json_get_string(json_get(record, "expected"), "status", NULL),
        json_get_bool(json_get(record, "attempts"), "flaky", false));
}

bool record_json_is(struct json_object *record, enum record_status status) {
    return strcmp(json_get_string(record, "status", ""), record_status_name(status)) == 0;
}

bool standing_is_bad(enum standing standing) {
    return standing == STANDING_UNEXPECTED_PASS || standing == STANDING_WRONG;
}
