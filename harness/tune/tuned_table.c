// SPDX-License-Identifier: Apache-2.0
#include "tuned_table.h"

#include "../record/bucket.h"
#include "../record/cases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct summary *compute_of(const struct record *record) {
    return &record->time[FIGURE_COMPUTE];
}

static bool is_timed(const struct record *record) {
    return record->status == RECORD_PASS && compute_of(record)->samples && compute_of(record)->median > 0;
}

const char *shape_text(const struct record *record) {
    const char *at = strstr(record->name, "/wg=");
    return at ? at + 1 : record->name;
}

double tuned_loss(const struct tuned_entry *entry, const struct record *record) {
    return record && is_timed(record) ? compute_of(record)->median / compute_of(entry->best)->median - 1 : NAN;
}

// ---- one entry

static void choose(const struct record **records, size_t count, struct finding *finding, struct tuned_entry *out) {
    for (size_t i = 0; i < count; i++) {
        finding->times[i] = *compute_of(records[i]);
        finding->wrong[i] = !is_timed(records[i]);
        out->wrong += records[i]->status != RECORD_PASS;
        if (is_timed(records[i])) out->samples += finding->times[i].samples;
    }
    finding_choose(finding, count, SEARCH_LEAST);
    if (finding->best == NOT_FOUND) return;
    out->best = records[finding->best];
    if (finding->runner_up != NOT_FOUND) out->runner_up = records[finding->runner_up];
    for (int i = 0; i < finding->tie_count; i++) out->ties[out->tie_count++] = records[finding->ties[i]];
}

static bool make_entry(struct arena *arena, const struct record **records, size_t count, struct tuned_entry *out) {
    struct finding finding = {.times = arena_alloc(arena, count, sizeof *finding.times),
        .wrong = arena_alloc(arena, count, sizeof *finding.wrong)};
    if (!finding.times || !finding.wrong) return false;
    *out = (struct tuned_entry){.shapes = count,
        .dims = record_dims(records[0]),
        .case_name = arena_copy_n(arena, records[0]->name, case_before_shape(records[0]))};
    choose(records, count, &finding, out);
    for (size_t i = 0; i < count; i++)
        if (records[i]->is_default && is_timed(records[i])) out->standard = records[i];
    out->bucket = record_bucket(records[0]);
    return out->case_name != NULL;
}

// Peaks are no cases to tune, and what was skipped is no shape.
static size_t tuned_part(const struct record *record, void *user) {
    (void)user;
    return record->peak || record->status == RECORD_SKIP ? 0 : case_before_shape(record);
}

bool tuned_make(const struct result *result, struct arena *arena, struct tuned *out) {
    struct cases cases;
    *out = (struct tuned){.result = result};
    if (!cases_gather(result->records, result->count, tuned_part, NULL, arena, &cases)) return false;
    out->items = arena_alloc(arena, cases.count + 1, sizeof *out->items);
    if (!out->items) return false;
    for (size_t i = 0; i < cases.count; i++) {
        if (!make_entry(arena, cases.items[i].records, cases.items[i].count, &out->items[out->count])) return false;
        out->count += out->items[out->count].best != NULL;
    }
    return true;
}

// ---- JSON

static struct json_object *shape_json(const struct record *record) {
    struct json_object *shape = json_object_new_object(), *wg = json_object_new_array();
    for (int i = 0; i < 3; i++) json_object_array_add(wg, json_object_new_int64(record->wg[i]));
    json_put(shape, "wg", wg);
    for (int i = 0; i < record->tunable_count; i++)
        json_put_int(shape, record->tunables[i].name, (int64_t)record->tunables[i].value);
    return shape;
}

static struct json_object *other_json(const struct tuned_entry *entry, const struct record *record) {
    if (!record) return NULL;
    struct json_object *other = json_object_new_object();
    json_put(other, "shape", shape_json(record));
    json_put_double(other, "loss", tuned_loss(entry, record));
    return other;
}

static struct json_object *entry_json(const struct tuned_entry *entry) {
    struct json_object *object = json_object_new_object(), *dims = json_object_new_object(),
                       *ties = json_object_new_array();
    const struct record *best = entry->best;
    char hash[SOURCE_HASH_TEXT];
    source_hash_text(best->source_hash, hash);
    for (int i = 0; i < entry->dims; i++) json_put_int(dims, best->dims[i].name, (int64_t)best->dims[i].value);
    for (int i = 0; i < entry->tie_count; i++) json_object_array_add(ties, other_json(entry, entry->ties[i]));
    json_put_string(object, "kernel", best->kernel);
    json_put_string(object, "operator", best->operator);
    json_put_string(object, "source_hash", hash);
    json_put_string(object, "dtype", best->dtype);
    json_put_int(object, "bucket", entry->bucket);
    json_put(object, "dims", dims);
    json_put(object, "shape", shape_json(best));
    json_put_double(object, "median_ns", compute_of(best)->median);
    json_put_double(object, "lo_ns", compute_of(best)->lo);
    json_put_double(object, "hi_ns", compute_of(best)->hi);
    json_put(object, "ties", ties);
    json_put(object, "runner_up", other_json(entry, entry->runner_up));
    json_put(object, "default", other_json(entry, entry->standard));
    json_put_int(object, "shapes", (int64_t)entry->shapes);
    json_put_int(object, "wrong", (int64_t)entry->wrong);
    json_put_int(object, "samples", (int64_t)entry->samples);
    return object;
}

static struct json_object *device_json(const struct device_info *device) {
    struct json_object *object = json_object_new_object();
    json_put_string(object, "name", device->name);
    json_put_string(object, "kind", device_kind_name(device->kind));
    json_put_int(object, "vendor_id", device->vendor_id);
    json_put_int(object, "device_id", device->device_id);
    json_put_string(object, "driver_name", device->driver_name);
    json_put_string(object, "driver_info", device->driver_info);
    json_put_int(object, "driver_version", device->driver_version);
    return object;
}

struct json_object *tuned_json(const struct tuned *tuned) {
    struct json_object *root = json_object_new_object(), *list = json_object_new_array();
    json_put_int(root, "schema_version", 1);
    json_put(root, "tool", json_object_get(json_get(tuned->result->context, "tool")));
    json_put(root, "device", device_json(&tuned->result->device));
    for (size_t i = 0; i < tuned->count; i++) json_object_array_add(list, entry_json(&tuned->items[i]));
    json_put(root, "tuned", list);
    return root;
}

bool tuned_write(const char *path, const struct tuned *tuned, struct error *err) {
    struct json_object *root = tuned_json(tuned);
    bool ok = json_write(path, root, true, err);
    json_object_put(root);
    return ok;
}
