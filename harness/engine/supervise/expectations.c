// SPDX-License-Identifier: Apache-2.0
#include "expectations.h"

#include "../../base/kind.h"
#include "../../base/text.h"
#include "../../base/fields.h"
#include "../../device/limits.h"
#include "../../device/device_info.h"
#include "../../record/terms.h"

#include <string.h>

// ---- reading

static struct json_object *text_put(const void *member) {
    return kind_text.put(member);
}
static bool text_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    const char **text = member;
    if (!json_string(at, arena, text, err)) return false;
    return **text || json_fail(at, err, "expected a text, found an empty one");
}
static const struct kind kind_words = {
    .put = text_put, .get = text_get, .schema = SCHEMA({"type" : "string", "minLength" : 1})};

static const struct field expectation_fields[] = {
    {"points", KIND(kind_words, .meaning = "Glob over names of points or their leading parts."),
        offsetof(struct expectation, points), REQUIRED},
    {"device", KIND(kind_words, .meaning = "Glob over the device's name; absent: any."),
        offsetof(struct expectation, device), SPARSE},
    {"driver",
        KIND(kind_words, .meaning = "Glob over the driver's name and version, with a space between; absent: any."),
        offsetof(struct expectation, driver), SPARSE},
    {"status",
        KIND(kind_text, .words = &expected_words,
            .meaning = "How the point fails. flake: it may pass or fail; skip: it must not be run."),
        offsetof(struct expectation, status), REQUIRED},
    {"reason", &kind_words, offsetof(struct expectation, reason), REQUIRED},
    {0},
};
static const struct kind kind_expectation = {.fields = expectation_fields, .closed = true};

static const struct field file_fields[] = {
    {"schema_version", &kind_version_1, 0, REQUIRED},
    {"expectations", ARENA_LIST(struct expectations, items, count, &kind_expectation, 0), 0, REQUIRED},
    {0},
};
const struct kind kind_expectations_file = {.fields = file_fields,
    .closed = true,
    .meaning = "Points that are known not to pass, by device and driver. The first entry that matches a point counts."};

bool expectations_load(struct arena *arena, const char *path, struct expectations *out, struct error *err) {
    *out = (struct expectations){0};
    struct json_object *value = kind_read(path, KIND_EXPECTATIONS, err);
    if (!value) return false;
    struct json_at root = json_root(value, path);
    bool ok = kind_get(&kind_expectations_file, arena, &root, out, err);
    json_object_put(value);
    return ok;
}

// ---- matching

// Appends the driver's name and version: "llvmpipe Mesa 22.3.6 (LLVM 15.0.6)".
static void put_driver(struct text *out, const struct device_info *device) {
    text_append(out, device->driver_name);
    if (*device->driver_name && *device->driver_info) text_append(out, " ");
    text_append(out, device->driver_info);
}

static const struct expectation *find(
    const struct expectations *expectations, const struct device_info *device, const char *driver, const char *point) {
    for (size_t i = 0; i < expectations->count; i++) {
        const struct expectation *e = &expectations->items[i];
        if (e->device && !text_glob(e->device, device->name)) continue;
        if (e->driver && !text_glob(e->driver, driver)) continue;
        if (select_matches(e->points, point)) return e;
    }
    return NULL;
}

void expectations_apply(
    struct arena *arena, const struct expectations *expectations, const struct device_info *device, struct plan *plan) {
    struct text driver = {0};
    put_driver(&driver, device);
    for (size_t i = 0; i < plan->count; i++) {
        struct point *point = &plan->points[i];
        point->expected = find(expectations, device, text_str(&driver), point->name);
        if (!point->expected || point->refused || strcmp(point->expected->status, EXPECTED_SKIP) != 0) continue;
        point->refused = REFUSED(arena, .kind = REFUSAL_EXPECTED, .words = {point->expected->reason});
    }
    text_free(&driver);
}

static void expectation_note(const struct expectation *expected, struct json_object *record) {
    struct json_object *note = json_object_new_object();
    json_put_string(note, "status", expected->status);
    json_put_string(note, "reason", expected->reason);
    json_put(record, "expected", note);
}

void expectations_note(const struct expectations *expectations, const struct device_info *device,
    struct json_object *const *records, size_t count) {
    struct text driver = {0};
    put_driver(&driver, device);
    for (size_t i = 0; expectations->count && i < count; i++) {
        const char *name = json_get_string(records[i], "name", "");
        const struct expectation *e =
            json_get(records[i], "expected") ? NULL : find(expectations, device, text_str(&driver), name);
        if (e) expectation_note(e, records[i]);
    }
    text_free(&driver);
}

// ---- writing

static void add_entry(struct json_object *list, const struct expectation *e) {
    json_object_array_add(list, fields_put(expectation_fields, e));
}

struct next {
    const struct expectations *given;
    const struct device_info *device;
    const char *driver;
    struct json_object *const *records;
    size_t count;
    const struct expectation **entries; // the entry for each record, or NULL
    bool *refuted;                      // entries contradicted by a record: they no longer hold for all their points
};

static void compare_all(struct arena *arena, struct next *n) {
    n->entries = arena_alloc(arena, n->count, sizeof *n->entries);
    n->refuted = arena_alloc(arena, n->given->count, sizeof *n->refuted);
    for (size_t i = 0; i < n->count; i++) {
        n->entries[i] = find(n->given, n->device, n->driver, json_get_string(n->records[i], "name", ""));
        if (n->entries[i] && outcome_is_bad(record_outcome_json(n->records[i])))
            n->refuted[n->entries[i] - n->given->items] = true;
    }
}

// Adds an entry for a point by its own name, on this device and driver. For an exhaustive check the entry names the
// case and so applies to all parts.
static void add_point(
    struct json_object *list, const struct next *n, size_t i, const char *status, const char *reason) {
    const char *name = json_get_string(n->records[i], "name", ""), *bits = strstr(name, "/bits=");
    struct text points = {0};
    text_append_n(&points, name, bits ? (size_t)(bits - name) : strlen(name));
    const struct expectation entry = {text_str(&points), n->device->name, *n->driver ? n->driver : NULL, status,
        reason && *reason ? reason : "no reason was recorded"};
    add_entry(list, &entry);
    text_free(&points);
}

static void add_outcome(struct json_object *list, const struct next *n, size_t i) {
    struct json_object *record = n->records[i];
    const struct expectation *entry = n->entries[i];
    enum expectation_outcome outcome = record_outcome_json(record);
    const char *status = json_get_string(record, "status", ""), *reason = json_get_string(record, "reason", NULL);
    if (outcome_is_bad(outcome) && json_get_bool(json_get(record, "attempts"), "flaky", false))
        add_point(list, n, i, EXPECTED_FLAKE, reason);
    else if (outcome == OUTCOME_WRONG)
        add_point(list, n, i, status, reason);
    else if (outcome == OUTCOME_EXPECTED_FAILURE && entry && n->refuted[entry - n->given->items])
        add_point(list, n, i, entry->status, entry->reason);
}

struct json_object *expectations_next(const struct expectations *given, const struct device_info *device,
    struct json_object *const *records, size_t count) {
    struct arena arena = {0};
    struct text driver = {0};
    put_driver(&driver, device);
    struct next n = {given, device, text_str(&driver), records, count, NULL, NULL};
    struct json_object *list = json_object_new_array(), *out = json_object_new_object();
    compare_all(&arena, &n);
    for (size_t i = 0; i < count; i++) add_outcome(list, &n, i);
    for (size_t i = 0; i < given->count; i++)
        if (!n.refuted[i]) add_entry(list, &given->items[i]);
    json_put_int(out, "schema_version", 1);
    json_put(out, "expectations", list);
    arena_free(&arena);
    text_free(&driver);
    return out;
}

// ---- a second attempt

static bool passed(struct json_object *record) {
    return record_json_is(record, RECORD_PASS);
}

// Skips a passing part of an exhaustive check, because it proves nothing about the whole check.
void retry_expect(const struct point *point, struct json_object *record) {
    if (!point->expected || !record || (point->inputs_count && passed(record))) return;
    expectation_note(point->expected, record);
}

bool retry_is_due(struct json_object *record) {
    return outcome_is_bad(record_outcome_json(record));
}

bool retry_is_crash(struct json_object *record) {
    return record_json_is(record, RECORD_CRASH) || record_json_is(record, RECORD_DEVICE_LOST) ||
           record_json_is(record, RECORD_TIMEOUT);
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
