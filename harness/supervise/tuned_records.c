// SPDX-License-Identifier: Apache-2.0
#include "tuned_records.h"

#include "../stats/stop.h"
#include "../stats/summary.h"
#include "../base/json.h"
#include "../record/record.h"

#include <stdlib.h>
#include <string.h>

struct json_object *tuned_record(
    struct json_object *record, const struct summary *time, const double *samples, bool wrong) {
    struct arena scratch = {0};
    struct record copy;
    struct error ignored;
    if (record_from_json(&scratch, record, &copy, &ignored)) { // the record as the worker sent it
        copy.time[FIGURE_COMPUTE] = wrong ? summarize(NULL, 0) : *time;
        copy.samples[FIGURE_COMPUTE] = arena_alloc(&scratch, time->samples, sizeof(double));
        memcpy(copy.samples[FIGURE_COMPUTE], samples, time->samples * sizeof *samples);
        copy.stop = stop_reason_name(STOP_COUNT);
        json_object_put(record);
        record = record_to_json(&copy, true);
    }
    arena_free(&scratch);
    return record;
}

void tuned_record_fail(struct json_object *record, struct json_object *near) {
    struct arena scratch = {0};
    const char *reason =
        arena_format(&scratch, "right at these dims, but %s at %s: %s", json_get_string(near, "status", "wrong"),
            json_get_string(near, "name", ""), json_get_string(near, "reason", "no reason was given"));
    json_put_string(record, "status", record_status_name(RECORD_FAIL));
    json_put_string(record, "reason", reason);
    json_put_string(record, "replay", json_get_string(near, "replay", NULL));
    arena_free(&scratch);
}

// ---- a case

enum { REASONS = 32 };
struct reason {
    const char *pattern, *text; // of the first point
    size_t shapes;
};

size_t shapes_in_all(const struct kernel *kernel) {
    size_t product = 1;
    for (int i = 0; i < kernel->tunable_count; i++)
        if (__builtin_mul_overflow(product, (size_t)kernel->tunables[i].value_count, &product)) return SIZE_MAX;
    return product;
}

static void count_reason(struct reason *reasons, size_t *count, const char *pattern, const char *text, size_t shapes) {
    size_t at = 0;
    while (at < *count && strcmp(reasons[at].pattern, pattern) != 0) at++;
    if (at == REASONS) at--; // the rest are counted together
    if (at == *count) reasons[(*count)++] = (struct reason){pattern, text, 0};
    reasons[at].shapes += shapes;
}

static int most_first(const void *a, const void *b) {
    const struct reason *x = a, *y = b;
    return (x->shapes < y->shapes) - (x->shapes > y->shapes);
}

// Lists the reasons of pruned shapes, most common first: [{"shapes": 12, "reason": "1024 invocations; the device
// allows 256"}]. Reasons that differ only in their figures are counted together, under the first. Shapes without a
// point were refused by rules on these dims.
static struct json_object *pruned_make(const struct point *points, size_t count) {
    static const char of_dims[] = "a rule of the manifest about these dims";
    struct arena scratch = {0};
    struct reason reasons[REASONS];
    size_t reason_count = 0, all = shapes_in_all(points[0].kernel);
    for (size_t i = 0; i < count; i++) {
        const struct refusal *why = points[i].refused;
        if (why) count_reason(reasons, &reason_count, refusal_pattern(&scratch, why), refusal_text(&scratch, why), 1);
    }
    if (all > count) count_reason(reasons, &reason_count, of_dims, of_dims, all - count);
    qsort(reasons, reason_count, sizeof *reasons, most_first);
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < reason_count; i++) {
        struct json_object *one = json_object_new_object();
        json_put_int(one, "shapes", (int64_t)reasons[i].shapes);
        json_put_string(one, "reason", reasons[i].text);
        json_object_array_add(list, one);
    }
    arena_free(&scratch);
    return list;
}

struct json_object *tuned_about(const struct tuned_case *one, const struct point *points, size_t count) {
    struct json_object *about = json_object_new_object();
    json_put_string(about, "case", one->name);
    json_put_string(about, "strategy", one->strategy);
    json_put_int(about, "shapes", (int64_t)one->product);
    json_put_int(about, "legal", (int64_t)one->legal);
    json_put(about, "pruned", pruned_make(points, count));
    json_put_int(about, "tried", (int64_t)one->tried);
    json_put_int(about, "wrong", (int64_t)one->wrong);
    json_put_int(about, "samples", (int64_t)one->samples);
    json_put_int(about, "neighbours", (int64_t)one->neighbours);
    json_put_double(about, "seconds", one->seconds);
    json_put_bool(about, "stopped", one->stopped);
    return about;
}
