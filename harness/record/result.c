// SPDX-License-Identifier: Apache-2.0
#include "result.h"

#include "../base/kind.h"
#include "../base/memory.h"
#include "parts.h"
#include "shed.h"
#include "version1.h"
#include "writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double result_peak(const struct result *result, const char *name) {
    return json_get_double(json_get(result->context, "peaks"), name, NAN);
}

bool result_version(struct json_object *context, const char *path, bool optional, int64_t *version, struct error *err) {
    struct json_at root = json_root(context, path), member;
    *version = 1;
    if (!json_member(&root, "schema_version", optional, &member, err)) return false;
    return (optional && !member.value) || json_integer(&member, 1, RESULT_SCHEMA_VERSION, version, err);
}

// Of another version a record may be anything: the version is told first, where it stands first.
static bool take_record(void *user, const struct json_met *item, struct error *err) {
    struct result *out = user;
    int64_t version;
    if (!result_version(item->before, item->at.file, true, &version, err)) return false;
    if (version == 1) version1_record(item->at.value);
    if (out->count == out->capacity) {
        out->capacity = out->capacity ? out->capacity * 2 : 64;
        out->records = memory_resize(out->records, out->capacity, sizeof *out->records);
    }
    if (!record_read(&out->arena, &item->at, &out->records[out->count], err)) return false;
    out->count++;
    return true;
}

bool result_check(struct json_object *context, const char *path, struct device_info *info, struct error *err) {
    struct json_at root = json_root(context, path), device, part;
    int64_t version;
    if (!kind_expect(context, path, KIND_RESULT, err) || !result_version(context, path, false, &version, err))
        return false;
    json_put_int(context, "schema_version", RESULT_SCHEMA_VERSION);
    static const char *const objects[] = {"tool", "host", "run", "peaks"};
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        if (!json_member(&root, objects[i], false, &part, err) || !json_expect(&part, json_type_object, err))
            return false;
    if (!json_member(&root, "device", false, &device, err) || !json_expect(&device, json_type_object, err))
        return false;
    if (!device_from_json(device.value, info, err)) return error_prefix(err, "%s: ", path);
    return json_member(&root, "records", false, &part, err) && json_expect(&part, json_type_array, err);
}

bool result_read(const char *path, struct result *out, struct error *err) {
    const struct json_list list = {"records", &samples_but_compute, take_record, out};
    *out = (struct result){0};
    out->context = json_read_list(path, &list, err);
    if (!out->context && !out->count) kind_not_read(path, KIND_RESULT, err);
    if (!out->context || !result_check(out->context, path, &out->device, err)) {
        result_free(out);
        return false;
    }
    json_object_object_del(out->context, "records");
    return true;
}

void result_free(struct result *result) {
    json_object_put(result->context);
    if (result->capacity) free(result->records);
    arena_free(&result->arena);
    *result = (struct result){0};
}

// ---- writing

// A new object with the same members, but for `except`.
static struct json_object *copy_without(struct json_object *object, const char *except) {
    struct json_object *copy = json_object_new_object();
    json_object_object_foreach(object, key, value) {
        if (strcmp(key, except) != 0) json_put(copy, key, json_object_get(value));
    }
    return copy;
}

struct json_object *counts_to_json(const size_t counts[RECORD_STATUS_COUNT]) {
    struct json_object *object = json_object_new_object();
    for (int status = 0; status < RECORD_STATUS_COUNT; status++)
        json_put_int(object, record_status_name((enum record_status)status), (int64_t)counts[status]);
    return object;
}

static struct json_object *counts_make(struct json_object *const *records, size_t count) {
    size_t counts[RECORD_STATUS_COUNT] = {0};
    for (int status = 0; status < RECORD_STATUS_COUNT; status++) {
        const char *name = record_status_name((enum record_status)status);
        for (size_t i = 0; i < count; i++)
            counts[status] += strcmp(json_get_string(records[i], "status", ""), name) == 0;
    }
    return counts_to_json(counts);
}

struct json_object *result_head(
    struct json_object *context, double wall_seconds, struct json_object *peaks, struct json_object *counts) {
    struct json_object *head = copy_without(context, "records"), *run = json_get(context, "run");
    run = run ? copy_without(run, "wall_s") : json_object_new_object();
    json_put_double(run, "wall_s", wall_seconds);
    json_put(head, "run", run);
    json_put(head, "peaks", peaks);
    json_put(head, "counts", counts);
    return head;
}

static bool put_record(struct writer *writer, struct json_object *record, struct error *err) {
    struct json_object *whole = record_whole(record, err);
    if (!whole) return false;
    writer_put(writer, whole);
    json_object_put(whole);
    return true;
}

bool result_write(const char *path, struct json_object *context, struct json_object **records, size_t count,
    double wall_seconds, bool trimmed, struct error *err) {
    struct json_object *head =
        result_head(context, wall_seconds, peaks_make(records, count), counts_make(records, count));
    struct writer writer;
    bool ok = writer_begin(&writer, path, head, trimmed, err);
    json_object_put(head);
    if (!ok) return false;
    for (size_t i = 0; ok && i < count; i++) ok = put_record(&writer, records[i], err);
    return writer_end(&writer, ok, err) && ok;
}
