// SPDX-License-Identifier: Apache-2.0
// Reads a tuned table back. The records of its entries have only the data of the table.
#include "tuned_table.h"

#include "../base/kind.h"
#include "../base/text.h"
#include "../base/fields.h"
#include "../device/profile.h"
#include "../record/result.h"
#include "../device/device_info.h"
#include "../stats/summary.h"
#include "../record/record.h"
#include "../record/terms.h"
#include "../device/device_json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Reads the members of an object, except `except`, as numbers.
static bool read_numbers(struct arena *arena, const struct json_at *object, const char *except,
    struct named_number **out, int *count, struct error *err) {
    struct json_at at;
    int64_t number;
    if (!json_expect(object, json_type_object, err)) return false;
    *out = arena_alloc(arena, json_count(object) < RECORD_NAMES ? json_count(object) : RECORD_NAMES, sizeof **out);
    json_object_object_foreach(object->value, name, value) {
        (void)value;
        if (except && strcmp(name, except) == 0) continue;
        if (*count == RECORD_NAMES) return json_fail(object, err, "expected at most %d members", RECORD_NAMES);
        if (!json_member(object, name, false, &at, err) || !json_integer(&at, INT64_MIN, INT64_MAX, &number, err))
            return false;
        (*out)[(*count)++] = (struct named_number){arena_copy(arena, name), (double)number};
    }
    return true;
}

#define AT(member) offsetof(struct record, member)

static const struct field workgroup[] = {{"wg", &kind_three, AT(wg), REQUIRED}, {0}};
static bool shape_get(struct arena *arena, const struct json_at *at, void *record, struct error *err) {
    struct record *out = record;
    out->tunable_count = 0;
    out->subgroup_size = 0;
    if (!fields_get(arena, at, workgroup, out, err) ||
        !read_numbers(arena, at, "wg", &out->tunables, &out->tunable_count, err))
        return false;
    for (int i = 0; i < out->tunable_count; i++)
        if (strcmp(out->tunables[i].name, "SUBGROUP") == 0) out->subgroup_size = (uint32_t)out->tunables[i].value;
    return true;
}
static const struct kind kind_shape = {.get = shape_get};

static bool dims_get(struct arena *arena, const struct json_at *at, void *record, struct error *err) {
    struct record *out = record;
    return read_numbers(arena, at, NULL, &out->dims, &out->dim_count, err);
}
static const struct kind kind_dims = {.get = dims_get};

// Reads a source hash of a record; "" if unknown.
static bool hash_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    if (!json_expect(at, json_type_string, err)) return false;
    return !*json_object_get_string(at->value) || kind_source.get(arena, at, member, err);
}
static const struct kind kind_hash = {.get = hash_get};

static const struct field best_fields[] = {
    {"kernel", &kind_text, AT(kernel), REQUIRED},
    {"operator", &kind_text, AT(operator), REQUIRED},
    {"dtype", &kind_text, AT(dtype), REQUIRED},
    {"source_hash", &kind_hash, AT(source_hash), REQUIRED},
    {"dims", &kind_dims, 0, REQUIRED},
    {"shape", &kind_shape, 0, REQUIRED},
    {"median_ns", &kind_above_0, AT(time[FIGURE_COMPUTE].median), REQUIRED},
    {"lo_ns", &kind_amount, AT(time[FIGURE_COMPUTE].lo), REQUIRED},
    {"hi_ns", &kind_above_0, AT(time[FIGURE_COMPUTE].hi), REQUIRED},
    {0},
};

static const struct field other_fields[] = {
    {"shape", &kind_shape, 0, REQUIRED},
    {"loss", &kind_real, AT(time[FIGURE_COMPUTE].median), NULLABLE},
    {0},
};

static const struct field entry_fields[] = {
    {"bucket", &kind_int, offsetof(struct tuned_entry, bucket), REQUIRED},
    {"shapes", &kind_size, offsetof(struct tuned_entry, shapes), REQUIRED},
    {"wrong", &kind_size, offsetof(struct tuned_entry, wrong), REQUIRED},
    {"samples", &kind_size, offsetof(struct tuned_entry, samples), REQUIRED},
    {"undecided", &kind_flag, offsetof(struct tuned_entry, undecided), SPARSE},
    {"legal", &kind_size, offsetof(struct tuned_entry, search.legal), SPARSE},
    {"unfinished", &kind_flag, offsetof(struct tuned_entry, search.unfinished), SPARSE},
    {0},
};

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

// Reads a shape beside the best, with its loss; NULL if the table has none.
static bool read_other(struct arena *arena, const struct json_at *at, const struct tuned_entry *entry,
    const struct record **out, struct error *err) {
    *out = NULL;
    if (!at->value) return true;
    struct record *record = arena_alloc(arena, 1, sizeof *record);
    struct summary *time = &record->time[FIGURE_COMPUTE];
    *record = *entry->best;
    *time = (struct summary){0};
    if (!fields_get(arena, at, other_fields, record, err)) return false;
    time->samples = time->median > -1; // only if the loss is valid
    time->median = time->samples ? entry->best->time[FIGURE_COMPUTE].median * (1 + time->median) : NAN;
    record->name = point_name_of(arena, entry->case_name, record);
    *out = record;
    return true;
}

static bool read_ties(struct arena *arena, const struct json_at *at, struct tuned_entry *out, struct error *err) {
    struct json_at list, item;
    if (!json_member(at, "ties", false, &list, err) || !json_expect(&list, json_type_array, err)) return false;
    if (json_count(&list) > FINDING_TIES) return json_fail(&list, err, "expected at most %d ties", FINDING_TIES);
    for (; (size_t)out->tie_count < json_count(&list); out->tie_count++)
        if (!json_item(&list, (size_t)out->tie_count, &item, err) || !json_expect(&item, json_type_object, err) ||
            !read_other(arena, &item, out, &out->ties[out->tie_count], err))
            return false;
    return true;
}

static bool entry_get(struct arena *arena, const struct json_at *at, void *item, struct error *err) {
    struct tuned_entry *out = item;
    struct record *best = arena_alloc(arena, 1, sizeof *best);
    struct json_at other;
    *best = (struct record){.status = RECORD_PASS, .systems = ""};
    if (!fields_get(arena, at, best_fields, best, err)) return false;
    *out = (struct tuned_entry){.best = best, .dims = best->dim_count, .case_name = case_name(arena, best)};
    best->time[FIGURE_COMPUTE].samples = 1; // the table does not say how many samples belong to the best shape
    best->case_length = strlen(out->case_name);
    best->name = point_name_of(arena, out->case_name, best);
    return fields_get(arena, at, entry_fields, out, err) && read_ties(arena, at, out, err) &&
           json_member(at, "runner_up", false, &other, err) && read_other(arena, &other, out, &out->runner_up, err) &&
           json_member(at, "default", false, &other, err) && read_other(arena, &other, out, &out->standard, err);
}

static const struct kind kind_entry = {.get = entry_get};

static const struct field head_fields[] = {
    {"schema_version", &kind_version_1, 0, REQUIRED},
    {"device", &kind_device_identity, 0, REQUIRED},
    {"profile", &kind_profile, offsetof(struct device_info, profile), SPARSE},
    {0},
};
static const struct field list_fields[] = {
    {"tuned", ARENA_LIST(struct tuned, items, count, &kind_entry, 0), 0, REQUIRED}, {0}};

bool tuned_read(const char *path, struct arena *arena, struct result *head, struct tuned *out, struct error *err) {
    *head = (struct result){0};
    *out = (struct tuned){.result = head};
    struct json_object *value = kind_read(path, KIND_TUNED, err);
    if (!value) return false;
    struct json_at root = json_root(value, path);
    head->device = arena_alloc(&head->arena, 1, sizeof *head->device);
    bool ok =
        fields_get(arena, &root, head_fields, head->device, err) && fields_get(arena, &root, list_fields, out, err);
    head->context = json_object_new_object();
    json_put(head->context, "tool", json_object_get(json_get(value, "tool")));
    if (json_get_bool(value, "historical", false)) {
        struct json_object *run = json_object_new_object();
        json_put_bool(run, "historical", true);
        json_put(head->context, "run", run);
    }
    json_object_put(value);
    if (!ok) result_free(head);
    return ok;
}
