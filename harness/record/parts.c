// SPDX-License-Identifier: Apache-2.0
// Dims, shape, inputs and times of a record.
#include "parts.h"
#include "result.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

void named_put(struct json_object *object, const struct named_number *numbers, int count, const struct kind *kind) {
    for (int i = 0; i < count; i++) json_put(object, numbers[i].name, kind_put(kind, &numbers[i].value));
}

// Makes an object of the numbers; NULL for none, if `sparse`.
static struct json_object *new_named(
    const struct named_number *numbers, int count, const struct kind *kind, bool sparse) {
    struct json_object *object = sparse && !count ? NULL : json_object_new_object();
    named_put(object, numbers, count, kind);
    return object;
}

// Reads every member of the object except `except`.
static bool get_named(struct arena *arena, const struct json_at *at, const struct kind *kind, const char *except,
    struct named_number *numbers, int room, int *count, struct error *err) {
    *count = 0;
    if (!json_expect(at, json_type_object, err)) return false;
    json_object_object_foreach(at->value, key, value) {
        (void)value;
        struct json_at member;
        if (except && strcmp(key, except) == 0) continue;
        if (*count == room) return json_fail(at, err, "expected at most %d members", room);
        struct named_number *number = &numbers[(*count)++];
        number->name = arena_copy(arena, key);
        if (!json_member(at, key, false, &member, err)) return false;
        if (!kind_get(kind, arena, &member, &number->value, err)) return false;
    }
    return true;
}

bool named_list_get(struct arena *arena, const struct json_at *at, const struct kind *kind, const char *except,
    struct named_number **numbers, int *count, struct error *err) {
    size_t members = json_count(at);
    if (members > RECORD_NAMES + 1) members = RECORD_NAMES + 1; // get_named refuses the rest
    *numbers = arena_alloc(arena, members, sizeof **numbers);
    return get_named(arena, at, kind, except, *numbers, RECORD_NAMES, count, err);
}

static struct json_object *dims_put(const void *whole) {
    const struct record *record = whole;
    return new_named(record->dims, record->dim_count, &kind_special, false); // a parameter may be infinite
}
static bool dims_get(struct arena *arena, const struct json_at *at, void *whole, struct error *err) {
    struct record *record = whole;
    return named_list_get(arena, at, &kind_special, NULL, &record->dims, &record->dim_count, err);
}
const struct kind kind_dims = {.put = dims_put, .get = dims_get, .values = &kind_special};

static const struct kind kind_number_or_null = {.schema = SCHEMA({"type" : [ "number", "null" ]})};
#define NOT_EMPTY .values = &kind_number_or_null, .schema = SCHEMA({"minProperties" : 1})

static struct json_object *metrics_put(const void *whole) {
    const struct record *record = whole;
    return new_named(record->metrics, record->metric_count, &kind_real, true);
}
static bool metrics_get(struct arena *arena, const struct json_at *at, void *whole, struct error *err) {
    struct record *record = whole;
    return get_named(arena, at, &kind_real, NULL, record->metrics, RECORD_METRICS, &record->metric_count, err);
}
const struct kind kind_metrics = {.put = metrics_put, .get = metrics_get, NOT_EMPTY};

static struct json_object *code_put(const void *whole) {
    const struct record *record = whole;
    return new_named(record->code, record->code_count, &kind_real, true);
}
static bool code_get(struct arena *arena, const struct json_at *at, void *whole, struct error *err) {
    struct record *record = whole;
    return named_list_get(arena, at, &kind_real, NULL, &record->code, &record->code_count, err);
}
const struct kind kind_code = {.put = code_put, .get = code_get, NOT_EMPTY};

static struct json_object *shape_put(const void *whole) {
    const struct record *record = whole;
    struct json_object *object = json_object_new_object();
    json_put(object, "wg", kind_three.put(record->wg));
    named_put(object, record->tunables, record->tunable_count, &kind_real);
    return object;
}
static bool shape_get(struct arena *arena, const struct json_at *at, void *whole, struct error *err) {
    struct record *record = whole;
    struct json_at wg;
    return json_member(at, "wg", false, &wg, err) && kind_three.get(arena, &wg, record->wg, err) &&
           named_list_get(arena, at, &kind_real, "wg", &record->tunables, &record->tunable_count, err);
}
static const struct field shape_fields[] = {{"wg", &kind_three, AT(wg), REQUIRED}, {0}};
const struct kind kind_shape = {.put = shape_put, .get = shape_get, .fields = shape_fields, .values = &kind_real};

static struct json_object *inputs_put(const void *whole) {
    const struct record *record = whole;
    return new_named(record->check.inputs, record->check.input_count, &kind_special, false);
}
static bool inputs_get(struct arena *arena, const struct json_at *at, void *whole, struct error *err) {
    struct record *record = whole;
    const int room = sizeof record->check.inputs / sizeof *record->check.inputs;
    return get_named(arena, at, &kind_special, NULL, record->check.inputs, room, &record->check.input_count, err);
}
const struct kind kind_inputs = {.put = inputs_put, .get = inputs_get, .values = &kind_special};

// ---- time

// Keys of an array of raw samples, and of its length if it was skipped on reading.
#define RAW "raw_ns"
#define RAW_COUNT "raw_count"
const struct json_passed samples_but_compute = {"time", RAW, "compute", RAW_COUNT};
const struct json_passed samples_all = {"time", RAW, NULL, RAW_COUNT};

const struct field summary_fields[] = {
    {"median_ns", &kind_amount, offsetof(struct summary, median), REQUIRED},
    {"lo_ns", &kind_amount, offsetof(struct summary, lo), REQUIRED},
    {"hi_ns", &kind_amount, offsetof(struct summary, hi), REQUIRED},
    {"q1_ns", &kind_amount, offsetof(struct summary, q1), REQUIRED},
    {"q3_ns", &kind_amount, offsetof(struct summary, q3), REQUIRED},
    {"min_ns", &kind_amount, offsetof(struct summary, min), REQUIRED},
    {"max_ns", &kind_amount, offsetof(struct summary, max), REQUIRED},
    {"samples", KIND(kind_size, .least = 1), offsetof(struct summary, samples), REQUIRED},
    {0},
};

static bool raw_get(struct arena *arena, const struct json_at *at, size_t count, double **samples, struct error *err) {
    if (!json_expect(at, json_type_array, err)) return false;
    if (json_count(at) != count)
        return json_fail(at, err, "expected the count of \"samples\", %zu, found %zu", count, json_count(at));
    *samples = arena_alloc(arena, count, sizeof **samples);
    return items_get(arena, at, &kind_real, *samples, sizeof **samples, count, err);
}

// Checks the number of samples skipped on reading.
static bool count_get(const struct json_at *one, size_t count, struct error *err) {
    struct json_at at;
    int64_t found;
    if (!json_member(one, RAW_COUNT, true, &at, err)) return false;
    if (!at.value) return true;
    if (!json_integer(&at, 0, INT64_MAX, &found, err)) return false;
    if ((size_t)found == count) return true;
    struct json_at raw;
    return json_member(one, RAW, true, &raw, err) &&
           json_fail(&raw, err, "expected the count of \"samples\", %zu, found %lld", count, (long long)found);
}

static struct json_object *time_put(const void *whole) {
    const struct record *record = whole;
    struct json_object *object = NULL;
    for (int figure = 0; figure < FIGURE_COUNT; figure++) {
        const struct summary *summary = &record->time[figure];
        if (!summary->samples) continue;
        struct json_object *one = fields_put(summary_fields, summary);
        if (record->samples[figure])
            json_put(one, RAW, items_put(&kind_real, record->samples[figure], sizeof(double), summary->samples));
        if (!object) object = json_object_new_object();
        json_put(object, figure_name((enum figure)figure), one);
    }
    return object;
}
static void time_absent(void *whole) {
    struct record *record = whole;
    for (int figure = 0; figure < FIGURE_COUNT; figure++) record->time[figure] = summarize(NULL, 0);
}
static bool time_get(struct arena *arena, const struct json_at *at, void *whole, struct error *err) {
    struct record *record = whole;
    time_absent(record);
    for (int figure = 0; figure < FIGURE_COUNT; figure++) {
        struct summary *summary = &record->time[figure];
        struct json_at one, raw;
        if (!json_member(at, figure_name((enum figure)figure), true, &one, err)) return false;
        if (!one.value) continue;
        if (!fields_get(arena, &one, summary_fields, summary, err)) return false;
        if (!count_get(&one, summary->samples, err) || !json_member(&one, RAW, true, &raw, err)) return false;
        if (raw.value && !raw_get(arena, &raw, summary->samples, &record->samples[figure], err)) return false;
    }
    return true;
}
ENUM_WORDS(static, figure, figure_name, figure, 0, FIGURE_COUNT, "a figure")
static const struct field raw_fields[] = {
    {RAW, &(const struct kind){.schema = SCHEMA({"type" : "array", "items" : {"type" : "number", "minimum" : 0}})}, 0,
        SPARSE},
    {0},
};
static const struct kind kind_summary = {.fields = summary_fields,
    .also = raw_fields,
    .name = "summary",
    .meaning =
        "Times of one run, in ns. lo and hi are the ends of the 95 % interval of the median, by order statistics; "
        "below six samples they are the extremes. Quartiles interpolate between the closest ranks."};
const struct kind kind_time = {.put = time_put,
    .get = time_get,
    .absent = time_absent,
    .values = &kind_summary,
    .keys = &figure_words,
    .meaning = "Measured figures. host_write, upload, download and host_read use staging memory; mapped_write and "
               "mapped_read use device memory directly."};

// ---- checksums of lines

const struct kind kind_line_sum = {
    .meaning = "CRC-32 of the line's bytes before this member. Absent: a document, or an older result.",
    .schema = SCHEMA({"type" : "string", "pattern" : "^[0-9a-f]{8}$"})};

#define SUM_BEFORE ",\"" LINE_SUM "\":\""
enum { SUM_LENGTH = sizeof SUM_BEFORE - 1 + 8 + 2 };

// Writes the end of a line: the checksum of what is before it, and the closing brace.
static void put_sum(const char *bytes, size_t length, char out[SUM_LENGTH + 1]) {
    const unsigned long sum = crc32_z(crc32_z(0, NULL, 0), (const Bytef *)bytes, length);
    snprintf(out, SUM_LENGTH + 1, SUM_BEFORE "%08lx\"}", sum);
}

// Returns the length of a line before its checksum; 0: it has none.
static size_t before_sum(const char *line, size_t length) {
    if (length <= SUM_LENGTH) return 0;
    const char *end = line + length - SUM_LENGTH;
    return memcmp(end, SUM_BEFORE, sizeof SUM_BEFORE - 1) == 0 ? length - SUM_LENGTH : 0;
}

void line_take(struct text *out, const char *line, size_t length) {
    const size_t before = before_sum(line, length);
    text_append_n(out, line, before ? before : length);
    if (before) text_append(out, "}");
}

void line_put(struct text *out, const char *object, size_t length) {
    const size_t before = before_sum(object, length);
    char sum[SUM_LENGTH + 1];
    length = before ? before : length - 1;
    put_sum(object, length, sum);
    text_append_n(out, object, length);
    text_append(out, sum);
}

bool line_is_whole(const char *line, size_t length) {
    const size_t before = before_sum(line, length);
    char sum[SUM_LENGTH + 1];
    if (!before) return true;
    put_sum(line, before, sum);
    return memcmp(line + before, sum, SUM_LENGTH) == 0;
}

struct json_object *line_parse(const char *line, size_t length) {
    struct json_object *value = line_is_whole(line, length) ? json_parse(line, length) : NULL;
    if (json_object_is_type(value, json_type_object)) json_object_object_del(value, LINE_SUM);
    return value;
}
