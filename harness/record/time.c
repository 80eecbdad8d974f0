// SPDX-License-Identifier: Apache-2.0
// The `time` member of a record.
#include "parts.h"

// Of an array of raw samples, and of what says how many they are where they were not read.
#define RAW "raw_ns"
#define RAW_COUNT "raw_count"
const struct json_passed samples_but_compute = {"time", RAW, "compute", RAW_COUNT};
const struct json_passed samples_all = {"time", RAW, NULL, RAW_COUNT};

const struct field summary_fields[] = {
    {"median_ns", &kind_real, offsetof(struct summary, median), REQUIRED},
    {"lo_ns", &kind_real, offsetof(struct summary, lo), REQUIRED},
    {"hi_ns", &kind_real, offsetof(struct summary, hi), REQUIRED},
    {"q1_ns", &kind_real, offsetof(struct summary, q1), REQUIRED},
    {"q3_ns", &kind_real, offsetof(struct summary, q3), REQUIRED},
    {"min_ns", &kind_real, offsetof(struct summary, min), REQUIRED},
    {"max_ns", &kind_real, offsetof(struct summary, max), REQUIRED},
    {"samples", &kind_size, offsetof(struct summary, samples), REQUIRED},
    {0},
};

static bool raw_get(struct arena *arena, const struct json_at *at, size_t count, double **samples, struct error *err) {
    if (!json_expect(at, json_type_array, err)) return false;
    if (json_count(at) != count)
        return json_fail(at, err, "expected as many as \"samples\" says, %zu, found %zu", count, json_count(at));
    *samples = arena_alloc(arena, count, sizeof **samples);
    return items_get(arena, at, &kind_real, *samples, sizeof **samples, count, err);
}

// Where samples were left out on reading, how many they are still has to be right.
static bool count_get(const struct json_at *one, size_t count, struct error *err) {
    struct json_at at;
    int64_t found;
    if (!json_member(one, RAW_COUNT, true, &at, err)) return false;
    if (!at.value) return true;
    if (!json_integer(&at, 0, INT64_MAX, &found, err)) return false;
    if ((size_t)found == count) return true;
    struct json_at raw;
    return json_member(one, RAW, true, &raw, err) &&
           json_fail(&raw, err, "expected as many as \"samples\" says, %zu, found %lld", count, (long long)found);
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
        if (!summary->samples) return json_fail(&one, err, "expected at least one of \"samples\"");
        if (!count_get(&one, summary->samples, err) || !json_member(&one, RAW, true, &raw, err)) return false;
        if (raw.value && !raw_get(arena, &raw, summary->samples, &record->samples[figure], err)) return false;
    }
    return true;
}
const struct kind kind_time = {time_put, time_get, time_absent};
