// SPDX-License-Identifier: Apache-2.0
#include "standing.h"

#include "parts.h"

#include <string.h>

// ---- the members

static const struct field expected_fields[] = {
    {"status", &kind_text, AT(expected.status), REQUIRED},
    {"reason", &kind_text, AT(expected.reason), REQUIRED},
    {0},
};
GROUP_KIND(, expected, expected_fields, record->expected.status)

static struct json_object *statuses_put(const void *whole) {
    const struct record *record = whole;
    return items_put(
        &kind_status, record->attempts.statuses, sizeof *record->attempts.statuses, (size_t)record->attempts.count);
}
static bool statuses_get(struct arena *arena, const struct json_at *at, void *whole, struct error *err) {
    struct record *record = whole;
    size_t count = json_count(at);
    if (!json_expect(at, json_type_array, err)) return false;
    if (count < 1 || count > RECORD_ATTEMPTS)
        return json_fail(at, err, "expected 1 to %d items, found %zu", RECORD_ATTEMPTS, count);
    record->attempts.count = (int)count;
    return items_get(arena, at, &kind_status, record->attempts.statuses, sizeof *record->attempts.statuses, count, err);
}
static const struct kind kind_statuses = {statuses_put, statuses_get, NULL};

static const struct field attempts_fields[] = {
    {"statuses", &kind_statuses, WHOLE, REQUIRED},
    {"flaky", &kind_flag, AT(attempts.flaky), REQUIRED},
    {0},
};
GROUP_KIND(, attempts, attempts_fields, record->attempts.count > 0)

static enum standing standing_of(const char *status, const char *expected, bool flaky) {
    bool passed = strcmp(status, record_status_name(RECORD_PASS)) == 0;
    if (strcmp(status, record_status_name(RECORD_SKIP)) == 0) return STANDING_GOOD;
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

bool standing_is_bad(enum standing standing) {
    return standing == STANDING_UNEXPECTED_PASS || standing == STANDING_WRONG;
}
