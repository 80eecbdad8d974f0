// SPDX-License-Identifier: Apache-2.0
// Writes google-benchmark's JSON: each sample of compute as a repetition, then the aggregates. Its tools/compare.py
// matches benchmarks by name and compares real_time and cpu_time. Both hold the kernel's time, its only own time.
// Points without a time are omitted, because compare.py cannot read such entries.
#include "export.h"

#include "../view.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../device/device_info.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The benchmarks of one record; their names begin alike.
struct family {
    const struct record *record;
    int64_t index; // among the benchmarks of the file
    size_t repetitions;
    struct text name; // escaped for JSON, without quotes
};

static void begin(struct text *out, const struct family *family, const char *ending, const char *kind) {
    const char *name = text_str(&family->name);
    bool first = out->length && out->data[out->length - 1] == '[';
    text_append(out, first ? "\n    {\"name\": \"" : ",\n    {\"name\": \"");
    text_append(out, name);
    text_append(out, ending);
    text_format(out, "\", \"family_index\": %lld, \"per_family_instance_index\": 0, \"run_name\": \"",
        (long long)family->index);
    text_append(out, name);
    text_format(out, "\", \"run_type\": \"%s\", \"repetitions\": %zu, \"threads\": 1", kind, family->repetitions);
}

static void put_times(struct text *out, int64_t iterations, double ns) {
    struct text time = {0};
    text_number(&time, ns);
    text_format(out, ", \"iterations\": %lld, \"real_time\": %s, \"cpu_time\": %s, \"time_unit\": \"ns\"",
        (long long)iterations, text_str(&time), text_str(&time));
    text_free(&time);
}

static void put_rate(struct text *out, const char *name, double amount, double ns) {
    double rate = amount / ns * 1e9;
    if (!(amount > 0) || !(ns > 0) || !isfinite(rate)) return;
    text_format(out, ", \"%s\": ", name);
    text_number(out, rate);
}

static void put_repetition(struct text *out, struct family *family, size_t index, double ns) {
    const struct record *record = family->record;
    begin(out, family, "", "iteration");
    text_format(out, ", \"repetition_index\": %zu", index);
    put_times(out, record->repeats > 0 ? record->repeats : 1, ns);
    put_rate(out, "bytes_per_second", record->bytes, ns);
    put_rate(out, "flops_per_second", record->flops, ns);
    text_append(out, "}");
}

static void put_aggregate(struct text *out, struct family *family, const char *name, double ns) {
    char ending[20];
    snprintf(ending, sizeof ending, "_%s", name);
    begin(out, family, ending, "aggregate");
    text_format(out, ", \"aggregate_name\": \"%s\", \"aggregate_unit\": \"time\"", name);
    put_times(out, (int64_t)family->repetitions, ns);
    text_append(out, "}");
}

// Appends repetitions and aggregates. Samples may have been trimmed from the result; the median is always present.
static void put_samples(struct text *out, struct family *family) {
    const struct record *record = family->record;
    const double *samples = record->samples[FIGURE_COMPUTE];
    double sum = 0, squares = 0, count = (double)family->repetitions;
    for (size_t i = 0; samples && i < family->repetitions; i++) {
        put_repetition(out, family, i, samples[i]);
        sum += samples[i];
    }
    double mean = sum / count;
    if (samples) put_aggregate(out, family, "mean", mean);
    put_aggregate(out, family, "median", record->time[FIGURE_COMPUTE].median);
    if (!samples || family->repetitions < 2) return;
    for (size_t i = 0; i < family->repetitions; i++) squares += (samples[i] - mean) * (samples[i] - mean);
    put_aggregate(out, family, "stddev", sqrt(squares / (count - 1)));
}

static void put_record(struct text *out, const struct record *record, int64_t index) {
    struct family family = {record, index, record->time[FIGURE_COMPUTE].samples, {0}};
    struct json_object *name = json_object_new_string(record->name);
    const char *quoted = json_object_to_json_string_ext(name, JSON_C_TO_STRING_NOSLASHESCAPE);
    text_append_n(&family.name, quoted + 1, strlen(quoted) - 2);
    put_samples(out, &family);
    json_object_put(name);
    text_free(&family.name);
}

// Converts "2026-01-02T03:04:05Z" to google-benchmark's form, "2026-01-02T03:04:05+00:00".
static void put_date(struct json_object *context, const char *started) {
    struct text date = {0};
    size_t length = strlen(started);
    text_append_n(&date, started, length && started[length - 1] == 'Z' ? length - 1 : length);
    if (length && started[length - 1] == 'Z') text_append(&date, "+00:00");
    json_put_string(context, "date", text_str(&date));
    text_free(&date);
}

// Returns the context. Unmeasured values follow google-benchmark: a clock of 0 MHz, no caches, no load.
static struct json_object *context_of(const struct result *result) {
    struct json_object *context = json_object_new_object(), *run = json_get(result->context, "run"),
                       *tool = json_get(result->context, "tool");
    struct arena scratch = {0};
    struct text driver = {0};
    text_format(&driver, "%s %s", result->device->driver_name, result->device->driver_info);
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
    json_put_string(context, "device", result->device->name);
    json_put_string(context, "driver", text_str(&driver));
    json_put_string(context, "suite", result_suite(&scratch, result, ""));
    json_put_string(context, "seed", json_get_string(run, "seed", ""));
    text_free(&driver);
    arena_free(&scratch);
    return context;
}

static bool put_gbench(struct text *out, const struct result *results, size_t count, struct error *err) {
    struct json_object *context = context_of(&results[0]);
    int64_t index = 0;
    (void)err;
    text_append(out, "{\n  \"context\": ");
    json_put_text(out, context, JSON_C_TO_STRING_SPACED);
    text_append(out, ",\n  \"benchmarks\": [");
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < results[i].count; k++)
            if (!isnan(compute_ns(&results[i].records[k]))) put_record(out, &results[i].records[k], index++);
    text_append(out, "\n  ]\n}\n");
    return true;
}

const struct export_format format_gbench = {.name = "gbench",
    .summary = "google-benchmark JSON, for its compare.py: points that were timed",
    .single = true,
    .put = put_gbench};
