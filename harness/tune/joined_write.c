// SPDX-License-Identifier: Apache-2.0
// Writes the joined table as JSON (reports/schema/table.schema.json), one entry at a time.
#include "joined.h"
#include "tuned_table.h"

#include "../base/file.h"
#include "../base/text.h"
#include "../base/fields.h"
#include "../device/profile.h"
#include "../record/terms.h"
#include "../device/device_json.h"

#include <math.h>

// With more devices, the losses of each device's best shape on all others would be most of the file.
enum { MOST_CROSSED = 64 };

static struct json_object *devices_json(const struct joined *j) {
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < j->device_count; i++) {
        struct json_object *device = kind_put(&kind_device_identity, &j->devices[i].info);
        json_put_string(device, "file", j->devices[i].path);
        json_put_string(device, "started", j->devices[i].started);
        json_put_int(device, "cases", (int64_t)j->devices[i].cases);
        if (j->devices[i].historical) json_put_string(device, "historical", j->devices[i].historical);
        json_object_array_add(list, device);
    }
    return list;
}

#define AT(member) offsetof(struct joined_conflict, member)
static const struct field conflict_fields[] = {
    {"device", &kind_text, AT(device), REQUIRED},
    {"kept", &kind_text, AT(kept), REQUIRED},
    {"kept_file", &kind_text, AT(kept_path), REQUIRED},
    {"left", &kind_text, AT(left), REQUIRED},
    {"left_file", &kind_text, AT(left_path), REQUIRED},
    {"cases", KIND(kind_size, .meaning = "In both results."), AT(cases), REQUIRED},
    {"same", KIND(kind_size, .meaning = "Cases with the same best shape."), AT(same), REQUIRED},
    {0},
};
#undef AT
const struct kind kind_conflict = {.fields = conflict_fields};

ENUM_KIND(, joined_scope, scope_name, joined_scope, JOINED_DEVICE, JOINED_COUNT, "a scope such as \"device\"")
ENUM_KIND(static, scope, scope_name, joined_scope, JOINED_FAMILY, JOINED_COUNT, "family, vendor or portable")

#define AT(member) offsetof(struct joined_fallback, member)
static const struct field fallback_fields[] = {
    {"device", &kind_size, AT(device), REQUIRED},
    {"scope", &kind_scope, AT(scope), REQUIRED},
    {"cases", KIND(kind_size, .least = 1), AT(cases), REQUIRED},
    {"wrong", &kind_size, AT(wrong), REQUIRED},
    {"unknown", &kind_size, AT(unknown), REQUIRED},
    {"other_source",
        KIND(kind_size, .meaning = "Cases measured here with another source of the kernel than the row's."), AT(other),
        REQUIRED},
    {"median_loss", &kind_real, AT(median), NULLABLE},
    {"worst_loss", &kind_real, AT(worst), NULLABLE},
    {"worst_case", &kind_text, AT(worst_case), NULLABLE},
    {0},
};
#undef AT
const struct kind kind_fallback = {.fields = fallback_fields};

// ---- entries

// Makes the device object for vkassay_tuned.h; for a group it has the members common to its devices.
static struct json_object *device_json(const struct joined *j, const struct joined_row *row) {
    const struct device_info *info = &j->devices[row->device].info;
    struct json_object *device = json_object_new_object();
    struct arena scratch = {0};
    if (row->scope == JOINED_DEVICE)
        json_put_string(device, "name", info->name);
    else
        json_put_string(device, "name", arena_format(&scratch, "%zu devices", row->members));
    if (row->scope != JOINED_PORTABLE) json_put_int(device, "vendor_id", info->vendor_id);
    if (row->scope == JOINED_DEVICE) json_put_int(device, "device_id", info->device_id);
    if (row->scope == JOINED_FAMILY) json_put_int(device, "device_id", info->device_id >> 8 << 8);
    if (row->scope == JOINED_DEVICE) json_put_int(device, "driver_version", info->driver_version);
    arena_free(&scratch);
    return device;
}

static struct json_object *shape_json(const struct joined_shape *shape) {
    return tuned_shape(shape->wg, shape->tunables, shape->tunable_count);
}

// Lists the losses on each known device: null if not measured, "wrong" if the shape is wrong there.
static struct json_object *losses_json(const struct joined *j, const struct joined_case *c, size_t shape) {
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < j->device_count; i++) {
        double loss = joined_loss(c, i, shape);
        json_object_array_add(list, isinf(loss)   ? json_object_new_string("wrong")
                                    : isnan(loss) ? NULL
                                                  : json_double(loss));
    }
    return list;
}

static struct json_object *default_json(const struct joined_case *c, size_t device) {
    for (size_t i = 0; i < c->count; i++) {
        if (c->times[i].device != device || !c->times[i].standard || !c->times[i].right) continue;
        struct json_object *other = json_object_new_object();
        json_put(other, "shape", shape_json(&c->shapes[c->times[i].shape]));
        json_put_double(other, "loss", c->times[i].ns / joined_best(c, device)->ns - 1);
        return other;
    }
    return NULL;
}

// Lists the devices whose loss belongs to another source of the kernel than the row's.
static struct json_object *other_sources_json(
    const struct joined *j, const struct joined_case *c, const struct joined_row *row) {
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < j->device_count; i++)
        if (joined_other_source(c, i, row->shape, row->source))
            json_object_array_add(list, json_object_new_int64((int64_t)i));
    return list;
}

static struct json_object *entry_json(
    const struct joined *j, const struct joined_case *c, const struct joined_row *row) {
    struct json_object *entry = json_object_new_object();
    char hash[SOURCE_HASH_TEXT];
    source_hash_text(row->source, hash);
    json_put_string(entry, "kernel", c->kernel);
    json_put_string(entry, "operator", c->operator);
    json_put_string(entry, "source_hash", hash);
    json_put_string(entry, "dtype", c->dtype);
    json_put_int(entry, "bucket", c->bucket);
    json_put(entry, "dims", tuned_dims(c->dims, c->dim_count));
    json_put_string(entry, "scope", scope_name(row->scope));
    json_put(entry, "device", device_json(j, row));
    json_put(entry, "shape", shape_json(&c->shapes[row->shape]));
    json_put_int(entry, "members", (int64_t)row->members);
    if (row->scope == JOINED_DEVICE) {
        const struct joined_time *best = joined_best(c, row->device);
        json_put_double(entry, "median_ns", row->time->ns);
        json_put_double(entry, "lo_ns", row->time->lo);
        json_put_double(entry, "hi_ns", row->time->hi);
        json_put(entry, "default", default_json(c, row->device));
        if (best->undecided) json_put_bool(entry, "undecided", true);
        json_put_int(entry, "shapes", best->tried);
        if (best->legal) json_put_int(entry, "legal", best->legal);
    } else {
        json_put_double(entry, "worst_loss", row->worst);
        json_put_int(entry, "unknown", (int64_t)row->unknown);
    }
    json_put_bool(entry, "unfinished", row->unfinished);
    if (row->scope != JOINED_DEVICE || j->device_count <= MOST_CROSSED) {
        json_put(entry, "losses", losses_json(j, c, row->shape));
        json_put(entry, "other_source", other_sources_json(j, c, row));
    }
    return entry;
}

// Puts each entry on a line of its own; returns the number of entries.
static size_t put_entries(struct text *out, const struct joined *j) {
    size_t put = 0;
    for (size_t i = 0; i < j->case_count; i++) {
        struct arena scratch = {0};
        struct joined_row *rows;
        size_t count = joined_rows(j, &j->cases[i], &scratch, &rows);
        for (size_t k = 0; k < count; k++) {
            struct json_object *entry = entry_json(j, &j->cases[i], &rows[k]);
            const char *text = json_object_to_json_string_ext(entry, JSON_C_TO_STRING_PLAIN);
            text_append(out, put++ ? ",\n    " : "\n    ");
            text_append(out, text);
            json_object_put(entry);
        }
        arena_free(&scratch);
    }
    return put;
}

bool joined_write(const char *path, const struct joined *j, struct error *err) {
    struct file_out *file = file_begin(path, err);
    struct json_object *head = json_object_new_object();
    struct text text = {.spill = file_spill, .spill_user = file};
    if (!file) return json_object_put(head), false;
    json_put_int(head, "schema_version", 2);
    json_put(head, "tool", json_object_get(j->tool));
    if (*j->profile.name) json_put(head, "profile", kind_put(&kind_profile, &j->profile));
    json_put(head, "devices", devices_json(j));
    json_put(head, "conflicts", items_put(&kind_conflict, j->conflicts, sizeof *j->conflicts, j->conflict_count));
    json_put(head, "fallbacks", items_put(&kind_fallback, j->fallbacks, sizeof *j->fallbacks, j->fallback_count));
    json_begin_list(&text, head, "tuned");
    json_end_list(&text, put_entries(&text, j));
    file_put(file, text_str(&text), text.length);
    text_free(&text);
    return file_finish(file, true, err);
}
