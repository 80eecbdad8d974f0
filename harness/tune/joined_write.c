// SPDX-License-Identifier: Apache-2.0
// Writes the joined table as JSON (reports/schema/table.schema.json), one entry at a time.
#include "joined.h"
#include "table_rows.h"
#include "tuned_table.h"

#include "../base/file.h"
#include "../base/text.h"
#include "../base/fields.h"
#include "../device/profile.h"
#include "../device/device_info.h"

#include <math.h>
#include <string.h>

// With more devices, the losses of each device's best shape on all others would be most of the file.
enum { MOST_CROSSED = 64 };

// ---- the devices

#define AT(member) offsetof(struct joined_device, member)
static const struct field device_fields[] = {
    {"file", &kind_text, AT(path), REQUIRED},
    {"started", &kind_text, AT(started), REQUIRED},
    {"cases", &kind_size, AT(cases), REQUIRED},
    {"historical",
        KIND(kind_text, .meaning = "The revision of the program, if sources of its kernels have changed since."),
        AT(historical), SPARSE},
    {0},
};
#undef AT
static struct json_object *joined_device_put(const void *member) {
    struct json_object *object = kind_put(&kind_device_identity, &((const struct joined_device *)member)->info);
    fields_add(object, device_fields, member);
    return object;
}
static const struct kind kind_joined_device = {
    .put = joined_device_put, .fields = device_identity_fields, .also = device_fields};

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
static const struct kind kind_conflict = {.fields = conflict_fields};

ENUM_KIND(static, joined_scope, scope_name, joined_scope, JOINED_DEVICE, JOINED_COUNT, "a scope such as \"device\"")
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
static const struct kind kind_fallback = {.fields = fallback_fields};

// ---- entries

struct joined_entry {
    struct record best; // the case, and the shape with its time
    const struct joined *joined;
    const struct joined_case *of;
    struct joined_row row;
    int bucket;
    bool undecided;
    size_t tried, legal; // 0: unknown
};

static const struct field row_device_fields[] = {
    {"name", &kind_text, 0, REQUIRED},
    {"vendor_id", &kind_uint32, 0, SPARSE},
    {"device_id", &kind_uint32, 0, SPARSE},
    {"driver_version", &kind_uint32, 0, SPARSE},
    {0},
};
// Makes the device object for vkassay_tuned.h; for a group it has the members common to its devices.
static struct json_object *row_device_put(const void *whole) {
    const struct joined_entry *entry = whole;
    const struct joined_row *row = &entry->row;
    const struct device_info *info = &entry->joined->devices[row->device].info;
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
static const struct kind kind_row_device = {.put = row_device_put,
    .fields = row_device_fields,
    .meaning = "The device, or the facts common to a group: the vendor, the upper byte of the device id."};

static bool is_crossed(const struct joined_entry *entry) {
    return entry->row.scope != JOINED_DEVICE || entry->joined->device_count <= MOST_CROSSED;
}

static struct json_object *losses_put(const void *whole) {
    const struct joined_entry *entry = whole;
    struct json_object *list = is_crossed(entry) ? json_object_new_array() : NULL;
    for (size_t i = 0; list && i < entry->joined->device_count; i++) {
        double loss = joined_loss(entry->of, i, entry->row.shape);
        json_object_array_add(list, isinf(loss)   ? json_object_new_string("wrong")
                                    : isnan(loss) ? NULL
                                                  : json_double(loss));
    }
    return list;
}
static const struct kind kind_losses = {.put = losses_put,
    .meaning = "The loss on each device; null: not measured there. A row of one device has them only with 64 devices "
               "or fewer.",
    .schema = SCHEMA({
        "type" : "array",
        "items" : {"anyOf" : [ {"type" : "number", "minimum" : 0}, {"const" : "wrong"}, {"type" : "null"} ]}
    })};

static struct json_object *other_sources_put(const void *whole) {
    const struct joined_entry *entry = whole;
    struct json_object *list = is_crossed(entry) ? json_object_new_array() : NULL;
    for (size_t i = 0; list && i < entry->joined->device_count; i++)
        if (joined_other_source(entry->of, i, entry->row.shape, entry->row.source))
            json_object_array_add(list, json_object_new_int64((int64_t)i));
    return list;
}
static const struct kind kind_other_sources = {.put = other_sources_put,
    .meaning = "Devices whose loss is of another source of the kernel than source_hash. It comes with losses.",
    .schema = SCHEMA({"type" : "array", "items" : {"type" : "integer", "minimum" : 0}, "uniqueItems" : true})};

static void set_shape(struct record *record, const struct joined_shape *shape) {
    memcpy(record->wg, shape->wg, sizeof record->wg);
    record->tunables = shape->tunables;
    record->tunable_count = shape->tunable_count;
}

static struct json_object *default_put(const void *whole) {
    const struct joined_entry *entry = whole;
    const struct joined_case *c = entry->of;
    for (size_t i = 0; entry->row.scope == JOINED_DEVICE && i < c->count; i++) {
        if (c->times[i].device != entry->row.device || !c->times[i].standard || !c->times[i].right) continue;
        struct record other = {0};
        set_shape(&other, &c->shapes[c->times[i].shape]);
        other.time[FIGURE_COMPUTE].median = c->times[i].ns / joined_best(c, entry->row.device)->ns - 1;
        return kind_put(&kind_row_other, &other);
    }
    return NULL;
}
static const struct kind kind_default = {
    .put = default_put, .of = KIND(kind_row_other, .meaning = "The manifest's default shape, if timed.")};

static const struct field best_fields[] = {ROW_FIELDS, {0}};
#define AT(member) offsetof(struct joined_entry, member)
static const struct field entry_fields[] = {
    {"bucket", &kind_row_bucket, AT(bucket), REQUIRED},
    {"scope", &kind_joined_scope, AT(row.scope), REQUIRED},
    {"device", &kind_row_device, 0, REQUIRED},
    {"members", KIND(kind_size, .least = 1, .meaning = "Devices that chose it."), AT(row.members), REQUIRED},
    {"shapes", KIND(kind_some, .meaning = "Shapes that were timed or failed on the device."), AT(tried), SPARSE},
    {"legal", &kind_row_legal, AT(legal), SPARSE},
    {"unfinished", KIND(kind_flag, .meaning = "The search on a member was stopped: an untried shape may be faster."),
        AT(row.unfinished), NEW},
    {"median_ns", &kind_above_0, AT(best.time[FIGURE_COMPUTE].median), SPARSE},
    {"lo_ns", &kind_amount, AT(best.time[FIGURE_COMPUTE].lo), SPARSE},
    {"hi_ns", &kind_above_0, AT(best.time[FIGURE_COMPUTE].hi), SPARSE},
    {"undecided", &kind_row_undecided, AT(undecided), SPARSE},
    {"default", &kind_default, 0, NEW_NULLABLE},
    {"worst_loss", KIND(kind_amount, .meaning = "On one of its members."), AT(row.worst), SPARSE},
    {"unknown", KIND(kind_size, .meaning = "Members without a measurement of it."), AT(row.unknown), SPARSE},
    {"losses", &kind_losses, 0, SPARSE},
    {"other_source", &kind_other_sources, 0, SPARSE},
    {0},
};
#undef AT
static const struct kind kind_entry = {.fields = best_fields, .also = entry_fields};

static struct json_object *entry_json(
    const struct joined *j, const struct joined_case *c, const struct joined_row *row) {
    struct joined_entry entry = {.joined = j, .of = c, .row = *row, .bucket = c->bucket};
    struct record *best = &entry.best;
    *best = (struct record){.kernel = c->kernel,
        .operator= c->operator,
        .source_hash = row->source,
        .dtype = c->dtype,
        .dims = c->dims,
        .dim_count = c->dim_count};
    best->time[FIGURE_COMPUTE] = summarize(NULL, 0);
    set_shape(best, &c->shapes[row->shape]);
    if (row->scope == JOINED_DEVICE) {
        const struct joined_time *time = joined_best(c, row->device);
        best->time[FIGURE_COMPUTE] =
            (struct summary){.median = row->time->ns, .lo = row->time->lo, .hi = row->time->hi};
        entry.undecided = time->undecided;
        entry.tried = time->tried;
        entry.legal = time->legal;
        entry.row.worst = NAN;
    }
    struct json_object *object = fields_put(best_fields, best);
    fields_add(object, entry_fields, &entry);
    return object;
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

// ---- the file

static struct json_object *version_2_put(const void *member) {
    (void)member;
    return json_object_new_int64(2);
}
#define MANY(items, count, KIND, MEANING)                                                                              \
    &(const struct kind) {                                                                                             \
        .list = &(const struct item_list){LIST_OF(struct joined, items, count, &KIND), .in_arena = true},              \
        .meaning = MEANING                                                                                             \
    }
static const struct field joined_fields[] = {
    {"schema_version", &(const struct kind){.put = version_2_put, .schema = SCHEMA({"const" : 2})}, 0, REQUIRED},
    {"tool", &kind_table_tool, offsetof(struct joined, tool), NULLABLE},
    {"profile", &kind_table_profile, offsetof(struct joined, profile), SPARSE},
    {"devices", MANY(devices, device_count, kind_joined_device, NULL), 0, REQUIRED},
    {"conflicts",
        MANY(conflicts, conflict_count, kind_conflict,
            "Results of one device by different drivers; the newer one counts."),
        0, REQUIRED},
    {"fallbacks",
        MANY(fallbacks, fallback_count, kind_fallback,
            "Each device left out in turn (at most 48): the loss there of the row chosen by the others."),
        0, REQUIRED},
    {0},
};
static const struct field list_fields[] = {
    {"tuned", &(const struct kind){.list = &(const struct item_list){.kind = &kind_entry}}, 0, REQUIRED}, {0}};
const struct kind kind_joined_file = {.fields = joined_fields, .also = list_fields};

bool joined_write(const char *path, const struct joined *j, struct error *err) {
    struct file_out *file = file_begin(path, err);
    struct text text = {.spill = file_spill, .spill_user = file};
    if (!file) return false;
    json_begin_list(&text, fields_put(joined_fields, j), list_fields->key);
    json_end_list(&text, put_entries(&text, j));
    file_put(file, text_str(&text), text.length);
    text_free(&text);
    return file_finish(file, true, err);
}
