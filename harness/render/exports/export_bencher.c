// SPDX-License-Identifier: Apache-2.0
// Writes Bencher Metric Format (bencher.dev, adapter "json"). Each case is a benchmark, with latency and rate of its
// best shape. Lower and upper values are the 95 % interval of the median.
#include "export.h"

#include "../view.h"
#include "../../record/figures.h"
#include "../../stats/summary.h"
#include "../../record/result.h"
#include "../../record/record.h"

#include <math.h>

enum { LONGEST_NAME = 1024 }; // of a benchmark

static void put_metric(struct json_object *benchmark, const char *name, double value, double lower, double upper) {
    struct json_object *metric = json_object_new_object();
    json_put_double(metric, "value", value);
    json_put_double(metric, "lower_value", lower);
    json_put_double(metric, "upper_value", upper);
    json_put(benchmark, name, metric);
}

static void put_case(struct json_object *all, const struct result *result, const struct record *best) {
    const struct summary *time = &best->time[FIGURE_COMPUTE];
    struct rate rate = rate_of(result, best);
    struct json_object *benchmark = json_object_new_object();
    size_t length = best->case_length < LONGEST_NAME ? best->case_length : LONGEST_NAME;
    struct text name = {0};
    text_append_n(&name, best->name, length);
    put_metric(benchmark, "latency", time->median, time->lo, time->hi); // in nanoseconds, the unit of this measure
    if (!isnan(rate.value))
        put_metric(benchmark, rate.unit[0] == 'B' ? "bytes_per_second" : "operations_per_second", rate.value,
            rate.value * time->median / time->hi, rate.value * time->median / time->lo);
    json_put(all, text_str(&name), benchmark);
    text_free(&name);
}

static bool put_bencher(struct text *out, const struct result *results, size_t count, struct error *err) {
    struct view view;
    struct json_object *all = json_object_new_object();
    (void)count, (void)err;
    view_make(&results[0], &view);
    for (size_t i = 0; i < view.case_count; i++)
        if (view.cases[i]->best) put_case(all, &results[0], view.cases[i]->best);
    json_put_text(out, all, JSON_C_TO_STRING_PRETTY);
    text_append(out, "\n");
    view_free(&view);
    return true;
}

const struct export_format format_bencher = {.name = "bencher",
    .summary = "Bencher Metric Format: latency and rate of cases by their best shape",
    .single = true,
    .put = put_bencher};
