// SPDX-License-Identifier: Apache-2.0
#include "tuned_records.h"

#include "../stats/stop.h"
#include "pruned.h"

struct json_object *tuned_record(
    struct json_object *record, const struct summary *time, const double *samples, bool wrong, struct error *err) {
    struct arena scratch = {0};
    struct record copy;
    struct json_object *out = NULL;
    if (record_from_json(&scratch, record, &copy, err)) {
        copy.time[FIGURE_COMPUTE] = wrong ? summarize(NULL, 0) : *time;
        copy.samples[FIGURE_COMPUTE] = arena_alloc(&scratch, time->samples, sizeof(double));
        for (size_t i = 0; copy.samples[FIGURE_COMPUTE] && i < time->samples; i++)
            copy.samples[FIGURE_COMPUTE][i] = samples[i];
        copy.stop = stop_reason_name(STOP_COUNT);
        out = record_to_json(&copy, true);
    }
    arena_free(&scratch);
    return out;
}

void tuned_record_fail(struct json_object *record, struct json_object *near) {
    struct arena scratch = {0};
    const char *reason =
        arena_format(&scratch, "right at these dims, but %s at %s: %s", json_get_string(near, "status", "wrong"),
            json_get_string(near, "name", ""), json_get_string(near, "reason", "no reason was given"));
    json_put_string(record, "status", record_status_name(RECORD_FAIL));
    json_put_string(record, "reason", reason ? reason : "wrong at neighbouring dims");
    json_put_string(record, "replay", json_get_string(near, "replay", NULL));
    arena_free(&scratch);
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
