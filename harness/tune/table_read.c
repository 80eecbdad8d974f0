// SPDX-License-Identifier: Apache-2.0
// A tuned table read back: the records of its entries hold what the table says of them, and no more.
#include "tuned_table.h"

#include "../base/kind.h"
#include "../base/text.h"
#include "../base/fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool read_wg(const struct json_at *at, uint32_t wg[3], struct error *err) {
    struct json_at item;
    int64_t size;
    if (!json_expect(at, json_type_array, err)) return false;
    if (json_count(at) != 3) return json_fail(at, err, "expected three sizes, found %zu", json_count(at));
    for (size_t i = 0; i < 3; i++) {
        if (!json_item(at, i, &item, err) || !json_integer(&item, 1, UINT32_MAX, &size, err)) return false;
        wg[i] = (uint32_t)size;
    }
    return true;
}

// The members of an object but for `except`, as numbers.
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

static bool read_shape(struct arena *arena, const struct json_at *object, struct record *out, struct error *err) {
    struct json_at shape, wg;
    out->tunable_count = 0;
    out->subgroup_size = 0;
    if (!json_member(object, "shape", false, &shape, err) || !json_member(&shape, "wg", false, &wg, err) ||
        !read_wg(&wg, out->wg, err) || !read_numbers(arena, &shape, "wg", &out->tunables, &out->tunable_count, err))
        return false;
    for (int i = 0; i < out->tunable_count; i++)
        if (strcmp(out->tunables[i].name, "SUBGROUP") == 0) out->subgroup_size = (uint32_t)out->tunables[i].value;
    return true;
}

static bool read_time(const struct json_at *object, const char *key, double *out, struct error *err) {
    struct json_at at;
    if (!json_member(object, key, false, &at, err) || !json_number(&at, out, err)) return false;
    return *out > 0 || json_fail(&at, err, "expected a time above 0");
}

static bool read_text(
    struct arena *arena, const struct json_at *object, const char *key, const char **out, struct error *err) {
    struct json_at at;
    return json_member(object, key, false, &at, err) && json_string(&at, arena, out, err);
}

// As records have it; "" where it is not known.
static bool read_hash(struct arena *arena, const struct json_at *object, uint64_t *out, struct error *err) {
    struct json_at at;
    if (!json_member(object, "source_hash", false, &at, err) || !json_expect(&at, json_type_string, err)) return false;
    return !*json_object_get_string(at.value) || kind_source.get(arena, &at, out, err);
}

static bool read_count(const struct json_at *object, const char *key, size_t *out, struct error *err) {
    struct json_at at;
    int64_t number;
    if (!json_member(object, key, false, &at, err) || !json_integer(&at, 0, INT32_MAX, &number, err)) return false;
    *out = (size_t)number;
    return true;
}

// "softmax.cached/f32/rows=512,cols=1024"
static const char *case_name(struct arena *arena, const struct record *best) {
    struct text name = {0};
    text_format(&name, "%s/%s/", best->kernel, best->dtype);
    for (int i = 0; i < best->dim_count; i++)
        text_format(&name, "%s%s=%lld", i ? "," : "", best->dims[i].name, (long long)best->dims[i].value);
    return arena_take(arena, &name);
}

// "case/wg=64x1x1,ITEMS=4"
static const char *point_name_of(struct arena *arena, const char *case_name, const struct record *record) {
    struct text name = {0};
    text_format(&name, "%s/wg=%ux%ux%u", case_name, record->wg[0], record->wg[1], record->wg[2]);
    for (int i = 0; i < record->tunable_count; i++)
        text_format(&name, ",%s=%lld", record->tunables[i].name, (long long)record->tunables[i].value);
    return arena_take(arena, &name);
}

static bool read_best(struct arena *arena, const struct json_at *at, struct record *out, struct error *err) {
    struct summary *compute = &out->time[FIGURE_COMPUTE];
    struct json_at dims;
    if (!read_text(arena, at, "kernel", &out->kernel, err) || !read_text(arena, at, "operator", &out->operator, err) ||
        !read_text(arena, at, "dtype", &out->dtype, err) || !read_hash(arena, at, &out->source_hash, err) ||
        !json_member(at, "dims", false, &dims, err) ||
        !read_numbers(arena, &dims, NULL, &out->dims, &out->dim_count, err) || !read_shape(arena, at, out, err) ||
        !read_time(at, "median_ns", &compute->median, err) || !read_time(at, "lo_ns", &compute->lo, err) ||
        !read_time(at, "hi_ns", &compute->hi, err))
        return false;
    compute->samples = 1; // how many of all samples were its own the table does not say
    return true;
}

// A shape beside the best, with its loss; NULL where the table has none.
static bool read_other(struct arena *arena, const struct json_at *at, const struct tuned_entry *entry,
    const struct record **out, struct error *err) {
    struct json_at loss;
    double share;
    struct record *record = arena_alloc(arena, 1, sizeof *record);
    *out = NULL;
    if (!at->value) return true;
    *record = *entry->best;
    if (!read_shape(arena, at, record, err) || !json_member(at, "loss", false, &loss, err)) return false;
    record->time[FIGURE_COMPUTE] = (struct summary){.median = NAN};
    if (loss.value && !json_number(&loss, &share, err)) return false;
    if (loss.value && share > -1)
        record->time[FIGURE_COMPUTE] =
            (struct summary){.median = entry->best->time[FIGURE_COMPUTE].median * (1 + share), .samples = 1};
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

static bool read_entry(struct arena *arena, const struct json_at *at, struct tuned_entry *out, struct error *err) {
    struct record *best = arena_alloc(arena, 1, sizeof *best);
    struct json_at other;
    int64_t bucket;
    *best = (struct record){.status = RECORD_PASS, .systems = ""};
    if (!read_best(arena, at, best, err)) return false;
    *out = (struct tuned_entry){.best = best, .dims = best->dim_count, .case_name = case_name(arena, best)};
    best->case_length = strlen(out->case_name);
    best->name = point_name_of(arena, out->case_name, best);
    if (!json_member(at, "bucket", false, &other, err) || !json_integer(&other, 0, INT32_MAX, &bucket, err))
        return false;
    out->bucket = (int)bucket;
    return read_ties(arena, at, out, err) && json_member(at, "runner_up", false, &other, err) &&
           read_other(arena, &other, out, &out->runner_up, err) && json_member(at, "default", false, &other, err) &&
           read_other(arena, &other, out, &out->standard, err) && read_count(at, "shapes", &out->shapes, err) &&
           read_count(at, "wrong", &out->wrong, err) && read_count(at, "samples", &out->samples, err);
}

static bool read_name(const struct json_at *device, const char *key, char *out, size_t room, struct error *err) {
    struct json_at at;
    if (!json_member(device, key, false, &at, err) || !json_expect(&at, json_type_string, err)) return false;
    snprintf(out, room, "%s", json_object_get_string(at.value));
    return true;
}

static bool read_device(const struct json_at *root, struct device_info *out, struct error *err) {
    const struct {
        const char *key;
        uint32_t *number;
    } numbers[] = {
        {"vendor_id", &out->vendor_id}, {"device_id", &out->device_id}, {"driver_version", &out->driver_version}};
    struct json_at device, at;
    char kind[16];
    int64_t number;
    if (!json_member(root, "device", false, &device, err) ||
        !read_name(&device, "name", out->name, sizeof out->name, err) ||
        !read_name(&device, "kind", kind, sizeof kind, err) ||
        !read_name(&device, "driver_name", out->driver_name, sizeof out->driver_name, err) ||
        !read_name(&device, "driver_info", out->driver_info, sizeof out->driver_info, err))
        return false;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (!json_member(&device, numbers[i].key, false, &at, err) || !json_integer(&at, 0, UINT32_MAX, &number, err))
            return false;
        *numbers[i].number = (uint32_t)number;
    }
    for (int i = DEVICE_OTHER; i <= DEVICE_CPU; i++)
        if (strcmp(kind, device_kind_name((enum device_kind)i)) == 0) out->kind = (enum device_kind)i;
    return true;
}

static bool read_table(
    struct arena *arena, const struct json_at *root, struct result *head, struct tuned *out, struct error *err) {
    struct json_at at, item;
    int64_t version;
    if (!json_member(root, "schema_version", false, &at, err) || !json_integer(&at, 1, 1, &version, err) ||
        !read_device(root, &head->device, err) || !json_member(root, "tuned", false, &at, err) ||
        !json_expect(&at, json_type_array, err))
        return false;
    head->context = json_object_new_object();
    json_put(head->context, "tool", json_object_get(json_get(root->value, "tool")));
    *out = (struct tuned){.result = head, .items = arena_alloc(arena, json_count(&at) + 1, sizeof *out->items)};
    for (; out->count < json_count(&at); out->count++)
        if (!json_item(&at, out->count, &item, err) || !json_expect(&item, json_type_object, err) ||
            !read_entry(arena, &item, &out->items[out->count], err))
            return false;
    return true;
}

bool tuned_read(const char *path, struct arena *arena, struct result *head, struct tuned *out, struct error *err) {
    *head = (struct result){0};
    struct json_object *value = kind_read(path, KIND_TUNED, err);
    if (!value) return false;
    struct json_at root = json_root(value, path);
    bool ok = read_table(arena, &root, head, out, err);
    json_object_put(value);
    if (!ok) result_free(head);
    return ok;
}
