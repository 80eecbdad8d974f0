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
    struct json_object *array = json_object_new_array();
    for (int i = 0; i < record->attempts.count; i++)
        json_object_array_add(array, kind_status.put(&record->attempts.statuses[i]));
    return array;
}
static bool statuses_get(struct arena *arena, const struct json_at *at, void *whole, struct error *err) {
    struct record *record = whole;
    struct json_at item;
    if (!json_expect(at, json_type_array, err)) return false;
    if (json_count(at) < 1 || json_count(at) > RECORD_ATTEMPTS)
        return json_fail(at, err, "expected 1 to %d items, found %zu", RECORD_ATTEMPTS, json_count(at));
    for (size_t i = 0; i < json_count(at); i++)
        if (!json_item(at, i, &item, err) || !kind_status.get(arena, &item, &record->attempts.statuses[i], err))
            return false;
    record->attempts.count = (int)json_count(at);
    return true;
}
static const struct kind kind_statuses = {statuses_put, statuses_get, NULL};

static const struct field attempts_fields[] = {
    {"statuses", &kind_statuses, WHOLE, REQUIRED},
    {"flaky", &kind_flag, AT(attempts.flaky), REQUIRED},
    {0},
};
GROUP_KIND(, attempts, attempts_fields, record->attempts.count > 0)
