// SPDX-License-Identifier: Apache-2.0
// Writes a tuned table and reads it back. The records of its entries have only the data of the table then.
#include "table_rows.h"
#include "tuned_table.h"

#include "../base/file.h"

#include "../base/kind.h"
#include "../base/text.h"
#include "../base/fields.h"
#include "../device/profile.h"
#include "../record/result.h"
#include "../device/device_info.h"
#include "../truth/stats/summary.h"
#include "../record/record.h"
#include "../record/terms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A double that is a whole number.
static struct json_object *whole_put(const void *member) {
    return json_object_new_int64((int64_t) * (const double *)member);
}
static bool whole_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    int64_t number;
    (void)arena;
    if (!json_integer(at, INT64_MIN, INT64_MAX, &number, err)) return false;
    *(double *)member = (double)number;
    return true;
}
static const struct kind kind_whole = {.put = whole_put, .get = whole_get, .schema = SCHEMA({"type" : "integer"})};

#define AT(member) offsetof(struct record, member)

static const struct kind kind_workgroup = {
    .of = &kind_three, .schema = SCHEMA({"items" : {"type" : "integer", "minimum" : 1}})};
static const struct field workgroup[] = {{"wg", &kind_workgroup, AT(wg), REQUIRED}, {0}};
static struct json_object *shape_put(const void *member) {
    const struct record *record = member;
    struct json_object *shape = fields_put(workgroup, record);
    named_put(shape, record->tunables, record->tunable_count, &kind_whole);
    return shape;
}
static bool shape_get(struct arena *arena, const struct json_at *at, void *record, struct error *err) {
    struct record *out = record;
    out->subgroup_size = 0;
    if (!fields_get(arena, at, workgroup, out, err) ||
        !named_list_get(arena, at, &kind_whole, "wg", &out->tunables, &out->tunable_count, err))
        return false;
    for (int i = 0; i < out->tunable_count; i++)
        if (strcmp(out->tunables[i].name, "SUBGROUP") == 0) out->subgroup_size = (uint32_t)out->tunables[i].value;
    return true;
}
const struct kind kind_row_shape = {.put = shape_put,
    .get = shape_get,
    .fields = workgroup,
    .values = &kind_int64,
    .name = "shape",
    .meaning = "wg, then the other tunables by name."};

static struct json_object *dims_put(const void *member) {
    const struct record *record = member;
    struct json_object *dims = json_object_new_object();
    named_put(dims, record->dims, record->dim_count, &kind_whole);
    return dims;
}
static bool dims_get(struct arena *arena, const struct json_at *at, void *record, struct error *err) {
    struct record *out = record;
    return named_list_get(arena, at, &kind_whole, NULL, &out->dims, &out->dim_count, err);
}
const struct kind kind_row_dims = {.put = dims_put, .get = dims_get, .values = &kind_whole};

static struct json_object *hash_put(const void *member) {
    char text[SOURCE_HASH_TEXT];
    source_hash_text(*(const uint64_t *)member, text);
    return json_text(text);
}
static bool hash_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    if (!json_expect(at, json_type_string, err)) return false;
    return !*json_object_get_string(at->value) || kind_source.get(arena, at, member, err);
}
const struct kind kind_row_source = {.put = hash_put,
    .get = hash_get,
    .meaning = "As in a result; empty: unknown.",
    .schema = SCHEMA({"type" : "string", "pattern" : "^((tokens:)?[0-9a-f]{16})?$"})};

static const struct field best_fields[] = {
    ROW_FIELDS,
    {"median_ns", &kind_above_0, AT(time[FIGURE_COMPUTE].median), REQUIRED},
    {"lo_ns", &kind_amount, AT(time[FIGURE_COMPUTE].lo), REQUIRED},
    {"hi_ns", &kind_above_0, AT(time[FIGURE_COMPUTE].hi), REQUIRED},
    {0},
};

static const struct field other_fields[] = {
    {"shape", &kind_row_shape, 0, REQUIRED},
    {"loss",
        KIND(kind_real,
            .meaning = "How much slower than the choice; 0.1 is a tenth. Below 0: faster, but within the noise."),
        AT(time[FIGURE_COMPUTE].median), NULLABLE},
    {0},
};
const struct kind kind_row_other = {.fields = other_fields, .name = "other"};

// Makes a case's name: "softmax.cached/f32/rows=512,cols=1024".
static const char *case_name(struct arena *arena, const struct record *best) {
    struct text name = {0};
    text_format(&name, "%s/%s/", best->kernel, best->dtype);
    for (int i = 0; i < best->dim_count; i++)
        text_format(&name, "%s%s=%lld", i ? "," : "", best->dims[i].name, (long long)best->dims[i].value);
    return arena_take(arena, &name);
}

// Makes a point's name: "case/wg=64x1x1,ITEMS=4".
static const char *point_name_of(struct arena *arena, const char *case_name, const struct record *record) {
    struct text name = {0};
    text_format(&name, "%s/wg=%ux%ux%u", case_name, record->wg[0], record->wg[1], record->wg[2]);
    for (int i = 0; i < record->tunable_count; i++)
        text_format(&name, ",%s=%lld", record->tunables[i].name, (long long)record->tunables[i].value);
    return arena_take(arena, &name);
}

// ---- shapes beside the best, with their loss

static struct json_object *other_put(const struct tuned_entry *entry, const struct record *record) {
    if (!record) return NULL;
    struct record other = *record;
    other.time[FIGURE_COMPUTE].median = tuned_loss(entry, record);
    return kind_put(&kind_row_other, &other);
}

static bool other_get(struct arena *arena, const struct json_at *at, const struct tuned_entry *entry,
    const struct record **out, struct error *err) {
    struct record *record = arena_alloc(arena, 1, sizeof *record);
    struct summary *time = &record->time[FIGURE_COMPUTE];
    *record = *entry->best;
    *time = (struct summary){0};
    if (!kind_get(&kind_row_other, arena, at, record, err)) return false;
    time->samples = time->median > -1; // only if the loss is valid
    time->median = time->samples ? entry->best->time[FIGURE_COMPUTE].median * (1 + time->median) : NAN;
    record->name = point_name_of(arena, entry->case_name, record);
    *out = record;
    return true;
}

// Defines the kind of such a shape, of the whole entry.
#define OTHER_KIND(member, MEANING)                                                                                    \
    static struct json_object *member##_put(const void *whole) {                                                       \
        return other_put(whole, ((const struct tuned_entry *)whole)->member);                                          \
    }                                                                                                                  \
    static bool member##_get(struct arena *arena, const struct json_at *at, void *whole, struct error *err) {          \
        return other_get(arena, at, whole, &((struct tuned_entry *)whole)->member, err);                               \
    }                                                                                                                  \
    static const struct kind kind_##member = {                                                                         \
        .put = member##_put, .get = member##_get, .of = KIND(kind_row_other, .meaning = MEANING)};
OTHER_KIND(runner_up, "The best shape that is no tie.")
OTHER_KIND(standard, "The manifest's default shape, if timed.")

static struct json_object *ties_put(const void *whole) {
    const struct tuned_entry *entry = whole;
    struct json_object *ties = json_object_new_array();
    for (int i = 0; i < entry->tie_count; i++) json_object_array_add(ties, other_put(entry, entry->ties[i]));
    return ties;
}
static bool ties_get(struct arena *arena, const struct json_at *at, void *whole, struct error *err) {
    struct tuned_entry *out = whole;
    struct json_at item;
    if (!json_expect(at, json_type_array, err)) return false;
    if (json_count(at) > FINDING_TIES) return json_fail(at, err, "expected at most %d ties", FINDING_TIES);
    for (; (size_t)out->tie_count < json_count(at); out->tie_count++)
        if (!json_item(at, (size_t)out->tie_count, &item, err) ||
            !other_get(arena, &item, out, &out->ties[out->tie_count], err))
            return false;
    return true;
}
static const struct kind kind_ties = {.put = ties_put,
    .get = ties_get,
    .list = &(const struct item_list){.kind = &kind_row_other},
    .meaning = "Other shapes not told apart from the fastest."};

// ---- an entry
#undef AT
#define AT(member) offsetof(struct tuned_entry, member)

static struct json_object *unfinished_put(const void *whole) {
    const struct tuned_search *search = &((const struct tuned_entry *)whole)->search;
    return search->legal || search->unfinished ? json_object_new_boolean(search->unfinished) : NULL;
}
static bool unfinished_get(struct arena *arena, const struct json_at *at, void *whole, struct error *err) {
    return kind_flag.get(arena, at, &((struct tuned_entry *)whole)->search.unfinished, err);
}
static const struct kind kind_unfinished = {.put = unfinished_put,
    .get = unfinished_get,
    .meaning = "The search was stopped: an untried shape may be faster. Absent: unknown.",
    .schema = SCHEMA({"type" : "boolean"})};

const struct kind kind_row_bucket = {
    .of = &kind_int, .meaning = "floor(log2 of the product of the dims, each at least 1)."};
const struct kind kind_row_undecided = {
    .of = &kind_mark, .meaning = "Other shapes were timed, and none was told apart from the fastest."};
const struct kind kind_row_legal = {.of = &kind_some, .meaning = "Shapes that can run on the device. Absent: unknown."};

static const struct field entry_fields[] = {
    {"bucket", &kind_row_bucket, AT(bucket), REQUIRED},
    {"ties", &kind_ties, 0, REQUIRED},
    {"runner_up", &kind_runner_up, 0, NULLABLE},
    {"default", &kind_standard, 0, NULLABLE},
    {"undecided", &kind_row_undecided, AT(undecided), SPARSE},
    {"shapes", KIND(kind_size, .meaning = "Shapes that were timed or failed."), AT(shapes), REQUIRED},
    {"legal", &kind_row_legal, AT(search.legal), SPARSE},
    {"unfinished", &kind_unfinished, 0, SPARSE},
    {"wrong", &kind_size, AT(wrong), REQUIRED},
    {"samples", &kind_size, AT(samples), REQUIRED},
    {0},
};

static struct json_object *entry_put(const void *member) {
    const struct tuned_entry *entry = member;
    struct record best = *entry->best;
    best.dim_count = entry->dims;
    struct json_object *object = fields_put(best_fields, &best);
    fields_add(object, entry_fields, entry);
    return object;
}
static bool entry_get(struct arena *arena, const struct json_at *at, void *item, struct error *err) {
    struct tuned_entry *out = item;
    struct record *best = arena_alloc(arena, 1, sizeof *best);
    *best = (struct record){.status = RECORD_PASS, .systems = ""};
    if (!fields_get(arena, at, best_fields, best, err)) return false;
    *out = (struct tuned_entry){.best = best, .dims = best->dim_count, .case_name = case_name(arena, best)};
    best->time[FIGURE_COMPUTE].samples = 1; // the table does not say how many samples belong to the best shape
    best->case_length = strlen(out->case_name);
    best->name = point_name_of(arena, out->case_name, best);
    return fields_get(arena, at, entry_fields, out, err);
}
static const struct kind kind_entry = {.put = entry_put, .get = entry_get, .fields = best_fields, .also = entry_fields};

// ---- the file

const struct kind kind_table_tool = {.of = &kind_json, .schema = SCHEMA({"type" : "object"})};
const struct kind kind_table_profile = {
    .of = &kind_profile, .meaning = "The profile of limits that all shapes keep to. Absent: the device's own limits."};

struct tuned_file {
    struct json_object *tool;
    bool historical;
    struct device_info device;
    struct tuned tuned;
};
#undef AT
#define AT(member) offsetof(struct tuned_file, member)
static const struct field head_fields[] = {
    {"schema_version", &kind_version_1, 0, REQUIRED},
    {"tool", &kind_table_tool, AT(tool), NULLABLE},
    {"historical", KIND(kind_mark, .meaning = "Sources of its kernels have changed since."), AT(historical), SPARSE},
    {"device", &kind_device_identity, AT(device), REQUIRED},
    {"profile", &kind_table_profile, AT(device.profile), SPARSE},
    {0},
};
static const struct field list_fields[] = {
    {"tuned", ARENA_LIST(struct tuned_file, tuned.items, tuned.count, &kind_entry, 0), 0, REQUIRED}, {0}};
const struct kind kind_tuned_file = {.fields = head_fields, .also = list_fields};

void tuned_put(struct text *out, const struct tuned *tuned) {
    const struct result *result = tuned->result;
    const struct tuned_file file = {
        json_get(result->context, "tool"), result_historical(result), *result->device, *tuned};
    size_t put = 0;
    json_begin_list(out, fields_put(head_fields, &file), list_fields->key);
    for (size_t i = 0; i < tuned->count; i++) json_put_item(out, entry_put(&tuned->items[i]), &put);
    json_end_list(out, put);
}

bool tuned_write(const char *path, const struct tuned *tuned, struct error *err) {
    struct file_out *file = file_begin(path, err);
    if (!file) return false;
    struct text text = {.spill = file_spill, .spill_user = file};
    tuned_put(&text, tuned);
    file_put(file, text_str(&text), text.length);
    text_free(&text);
    return file_finish(file, true, err);
}

bool tuned_read(const char *path, struct arena *arena, struct result *head, struct tuned *out, struct error *err) {
    *head = (struct result){0};
    struct json_object *value = kind_read(path, KIND_TUNED, err);
    if (!value) return false;
    const struct json_at root = json_root(value, path);
    struct tuned_file *file = arena_alloc(&head->arena, 1, sizeof *file);
    const bool ok =
        fields_get(arena, &root, head_fields, file, err) && fields_get(arena, &root, list_fields, file, err);
    *out = file->tuned;
    out->result = head;
    head->device = &file->device;
    head->context = json_object_new_object();
    json_put(head->context, "tool", json_object_get(file->tool));
    if (file->historical) {
        struct json_object *run = json_object_new_object();
        json_put_bool(run, "historical", true);
        json_put(head->context, "run", run);
    }
    json_object_put(value);
    if (!ok) result_free(head);
    return ok;
}
