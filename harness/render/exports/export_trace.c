// SPDX-License-Identifier: Apache-2.0
// Writes the wall time of a run for chrome://tracing and ui.perfetto.dev: trace event format, complete events.
// Records hold the duration of each part of a point, but no start time. So points follow each other in the order of
// the result, and parts in the order of their work. A run with several workers was shorter than its trace.
#include "export.h"
#include "../../record/terms.h"
#include "../../record/wall.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../device/device_info.h"

#include <math.h>

enum { POINTS = 1, PARTS = 2 }; // tracks

static struct json_object *event_of(const char *phase, int track, const char *name) {
    struct json_object *event = json_object_new_object();
    json_put_string(event, "ph", phase);
    json_put_int(event, "pid", 1);
    json_put_int(event, "tid", track);
    json_put_string(event, "name", name);
    return event;
}

// Appends one event at a time, because all events of a large result would fill memory.
static void put_event(struct text *out, bool first, struct json_object *event) {
    if (!first) text_append(out, ",");
    json_put_text(out, event, JSON_C_TO_STRING_PLAIN);
}

static void put_name(struct text *out, bool first, const char *what, int track, const char *name) {
    struct json_object *event = event_of("M", track, what), *arguments = json_object_new_object();
    json_put_string(arguments, "name", name);
    json_put(event, "args", arguments);
    put_event(out, first, event);
}

static struct json_object *complete_event(
    int track, const char *name, const char *category, int64_t at_ns, int64_t ns) {
    struct json_object *event = event_of("X", track, name);
    // Viewers add begin and length as doubles; if the sum exceeded the next event's begin, the events would overlap.
    const double at = (double)at_ns / 1e3, end = (double)(at_ns + ns) / 1e3; // microseconds
    double length = end - at;
    while (at + length > end) length = nextafter(length, 0);
    json_put_string(event, "cat", category);
    json_put_double(event, "ts", at);
    json_put_double(event, "dur", length);
    return event;
}

static int64_t put_point(struct text *out, const struct record *record, int64_t at) {
    int64_t whole = wall_total(&record->wall), part_at = at;
    if (whole <= 0) return at;
    struct json_object *arguments = json_object_new_object();
    json_put_string(arguments, "status", record_status_name(record->status));
    if (record->reason) json_put_string(arguments, "reason", record->reason);
    if (record->time[FIGURE_COMPUTE].samples) {
        json_put_double(arguments, "compute_median_ns", record->time[FIGURE_COMPUTE].median);
        json_put_int(arguments, "samples", (int64_t)record->time[FIGURE_COMPUTE].samples);
    }
    struct json_object *point = complete_event(POINTS, record->name, record_status_name(record->status), at, whole);
    json_put(point, "args", arguments);
    put_event(out, false, point);
    for (int part = 0; part < WALL_COUNT; part++) {
        if (record->wall.ns[part] <= 0) continue;
        put_event(out, false,
            complete_event(PARTS, wall_part_name((enum wall_part)part), "part", part_at, record->wall.ns[part]));
        part_at += record->wall.ns[part];
    }
    return at + whole;
}

static bool put_trace(struct text *out, const struct result *results, size_t count, struct error *err) {
    int64_t at = 0;
    (void)count, (void)err;
    text_append(out, "{\"traceEvents\":[");
    put_name(out, true, "process_name", POINTS, results[0].device->name);
    put_name(out, false, "thread_name", POINTS, "points");
    put_name(out, false, "thread_name", PARTS, "parts of their time");
    for (size_t i = 0; i < results[0].count; i++) at = put_point(out, &results[0].records[i], at);
    text_append(out, "],\"displayTimeUnit\":\"ms\"}\n");
    return true;
}

const struct export_format format_trace = {.name = "trace",
    .summary = "Chrome and Perfetto trace: wall time of the run, point by point",
    .single = true,
    .put = put_trace};
