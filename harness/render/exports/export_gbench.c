// SPDX-License-Identifier: Apache-2.0
// google-benchmark's JSON: each sample of compute is a repetition, then the aggregates. Its tools/compare.py takes
// benchmarks of equal names and compares real_time and cpu_time; the kernel's time stands in both, as there is no other
// that is the kernel's own. Points without a time are left out, as compare.py cannot take an entry without one.
#include "export.h"

#include "../view.h"

#include <math.h>
#include <string.h>

static const char unit[] = "ns";

struct family {
    const struct record *record;
    int64_t index; // among the benchmarks of the file
    size_t repetitions;
};

static struct json_object *entry_make(const struct family *family, const char *kind) {
    struct json_object *entry = json_object_new_object();
    json_put_string(entry, "name", family->record->name);
    json_put_int(entry, "family_index", family->index);
    json_put_int(entry, "per_family_instance_index", 0);
    json_put_string(entry, "run_name", family->record->name);
    json_put_string(entry, "run_type", kind);
    json_put_int(entry, "repetitions", (int64_t)family->repetitions);
    return entry;
}

static void put_times(struct json_object *entry, int64_t iterations, double ns) {
    json_put_int(entry, "iterations", iterations);
    json_put_double(entry, "real_time", ns);
    json_put_double(entry, "cpu_time", ns);
    json_put_string(entry, "time_unit", unit);
}

static void add_repetition(struct json_object *list, const struct family *family, size_t index, double ns) {
    const struct record *record = family->record;
    struct json_object *entry = entry_make(family, "iteration");
    json_put_int(entry, "repetition_index", (int64_t)index);
    json_put_int(entry, "threads", 1);
    put_times(entry, record->repeats > 0 ? record->repeats : 1, ns);
    if (record->bytes > 0 && ns > 0) json_put_double(entry, "bytes_per_second", record->bytes / ns * 1e9);
    if (record->flops > 0 && ns > 0) json_put_double(entry, "flops_per_second", record->flops / ns * 1e9);
    json_object_array_add(list, entry);
}

static void add_aggregate(struct json_object *list, const struct family *family, const char *name, double ns) {
    struct json_object *entry = entry_make(family, "aggregate");
    struct text whole = {0};
    text_format(&whole, "%s_%s", family->record->name, name);
    json_put_string(entry, "name", text_str(&whole));
    json_put_int(entry, "threads", 1);
    json_put_string(entry, "aggregate_name", name);
    json_put_string(entry, "aggregate_unit", "time");
    put_times(entry, (int64_t)family->repetitions, ns);
    json_object_array_add(list, entry);
    text_free(&whole);
}

// Samples may have been trimmed; the median is always there.
static void add_record(struct json_object *list, const struct record *record, int64_t index) {
    const double *samples = record->samples[FIGURE_COMPUTE];
    const struct family family = {record, index, record->time[FIGURE_COMPUTE].samples};
    double sum = 0, squares = 0, count = (double)family.repetitions;
    for (size_t i = 0; samples && i < family.repetitions; i++) {
        add_repetition(list, &family, i, samples[i]);
        sum += samples[i];
    }
    double mean = sum / count;
    if (samples) add_aggregate(list, &family, "mean", mean);
    add_aggregate(list, &family, "median", record->time[FIGURE_COMPUTE].median);
    if (!samples || family.repetitions < 2) return;
    for (size_t i = 0; i < family.repetitions; i++) squares += (samples[i] - mean) * (samples[i] - mean);
    add_aggregate(list, &family, "stddev", sqrt(squares / (count - 1)));
}

// "2026-01-02T03:04:05Z" as google-benchmark writes it: "2026-01-02T03:04:05+00:00".
static void put_date(struct json_object *context, const char *started) {
    struct text date = {0};
    size_t length = strlen(started);
    text_append_n(&date, started, length && started[length - 1] == 'Z' ? length - 1 : length);
    if (length && started[length - 1] == 'Z') text_append(&date, "+00:00");
    json_put_string(context, "date", text_str(&date));
    text_free(&date);
}

// What was not measured is written as google-benchmark writes it: a clock of 0 MHz, no caches, no load.
static struct json_object *context_of(const struct result *result) {
    struct json_object *context = json_object_new_object(), *run = json_get(result->context, "run"),
                       *tool = json_get(result->context, "tool");
    struct text driver = {0};
    text_format(&driver, "%s %s", result->device.driver_name, result->device.driver_info);
    put_date(context, json_get_string(run, "started", ""));
    json_put_string(context, "host_name", "localhost");
    json_put_string(context, "executable", "vkassay");
    json_put_int(context, "num_cpus", json_get_int(json_get(result->context, "host"), "cores", 1));
    json_put_int(context, "mhz_per_cpu", 0);
    json_put_bool(context, "cpu_scaling_enabled", false);
    json_put(context, "caches", json_object_new_array());
    json_put(context, "load_avg", json_object_new_array());
    json_put_string(context, "library_version", json_get_string(tool, "version", ""));
    json_put_string(context, "library_build_type", "release");
    json_put_int(context, "json_schema_version", 1);
    json_put_string(context, "device", result->device.name);
    json_put_string(context, "driver", text_str(&driver));
    json_put_string(context, "suite", json_get_string(run, "suite", ""));
    json_put_string(context, "seed", json_get_string(run, "seed", ""));
    text_free(&driver);
    return context;
}

static bool put_gbench(struct text *out, const struct result *results, size_t count, struct error *err) {
    (void)err;
    struct json_object *file = json_object_new_object(), *list = json_object_new_array();
    int64_t index = 0;
    json_put(file, "context", context_of(&results[0]));
    json_put(file, "benchmarks", list);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < results[i].count; k++)
            if (!isnan(compute_ns(&results[i].records[k]))) add_record(list, &results[i].records[k], index++);
    size_t length = 0;
    const char *text = json_object_to_json_string_length(
        file, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE, &length);
    text_append_n(out, text, length);
    text_append(out, "\n");
    json_object_put(file);
    return true;
}

const struct export_format format_gbench = {.name = "gbench",
    .summary = "google-benchmark JSON, for its compare.py: points that were timed",
    .single = true,
    .put = put_gbench};
