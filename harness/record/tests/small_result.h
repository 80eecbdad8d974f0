// SPDX-License-Identifier: Apache-2.0
// Small results in files, for tests of what joins results: their points are given by name, status and time.
#ifndef VKASSAY_RECORD_SMALL_RESULT_H
#define VKASSAY_RECORD_SMALL_RESULT_H

#include "../../base/tests/folder.h"
#include "sample_record.h"
#include "../journal.h"
#include "../record.h"
#include "../../truth/stats/summary.h"
#include "../../device/device_info.h"

#include <stdlib.h>
#include <string.h>

struct small_point {
    const char *name; // NULL ends a list
    enum record_status status;
    double ns; // median of compute; 0: not timed
    const char *peak;
};

// A fact of the context that differs from all others. `number`: it is 99, else it is "other".
struct small_fact {
    const char *section, *key;
    bool number;
};

static inline struct json_object *small_record(const struct small_point *point) {
    struct record r = sample_record();
    char name[200];
    snprintf(name, sizeof name, "x.y/f32/n=1/%s", point->name);
    r.name = name;
    r.case_length = strlen("x.y/f32/n=1");
    r.status = point->status;
    r.peak = point->peak;
    for (int f = 0; f < FIGURE_COUNT; f++) {
        r.samples[f] = NULL;
        r.time[f] = summarize(NULL, 0);
    }
    if (point->ns > 0)
        r.time[FIGURE_COMPUTE] = (struct summary){.median = point->ns,
            .lo = point->ns * 0.75,
            .hi = point->ns * 1.5,
            .q1 = point->ns * 0.875,
            .q3 = point->ns * 1.25,
            .min = point->ns * 0.5,
            .max = point->ns * 2,
            .samples = 30};
    return record_to_json(&r, true);
}

// Returns the context of a run with one other fact, or none.
static inline struct json_object *small_context(const struct small_fact *fact) {
    const struct device_info device = {.name = "made-up device",
        .device_uuid = "000102030405060708090a0b0c0d0e0f",
        .driver_uuid = "f0e0d0c0b0a090807060504030201000",
        .driver_info = "1.2.3",
        .max_invocations = 1024};
    char *argv[] = {"vkassay", "bench", NULL};
    const struct run_start start = {
        .argc = 2, .argv = argv, .suite = "quick", .started = "2026-01-02T03:04:05Z", .seed = 7};
    struct json_object *context = context_make(&device, &start);
    struct json_object *section = fact ? json_get(context, fact->section) : NULL;
    if (fact && fact->number)
        json_put_int(section, fact->key, 99);
    else if (fact)
        json_put_string(section, fact->key, "other");
    return context;
}

// Writes FOLDER/NAME and returns its path, which is overwritten by the next but one. Aborts if it cannot.
static inline const char *small_result(
    const char *name, const struct small_fact *fact, const struct small_point *points) {
    struct json_object *records[16], *context = small_context(fact);
    struct error err = {0};
    size_t count = 0;
    const char *path = in_folder(name);
    for (; points[count].name; count++) records[count] = small_record(&points[count]);
    if (!result_write(path, context, records, count, NULL, 12.5, false, &err)) abort();
    for (size_t i = 0; i < count; i++) json_object_put(records[i]);
    json_object_put(context);
    return path;
}

#endif
