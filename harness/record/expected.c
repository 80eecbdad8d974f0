// SPDX-License-Identifier: Apache-2.0
// The `expected` and `attempts` members of a record.
#include "parts.h"

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
