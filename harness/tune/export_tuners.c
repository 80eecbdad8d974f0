// SPDX-License-Identifier: Apache-2.0
// A case's space for other tuners: T4 results (the schema of the T4 auto-tuning format, version 1.0.0) and Kernel
// Tuner's cache files (its schema/cache/1.0.0, and what util.read_cache and the simulation runner look for). Times are
// in milliseconds in both.
#include "exports.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ms = 1e6; // in nanoseconds

// Tunables in one order: the workgroup under Kernel Tuner's own names, then the others.
static const char *tunable_name(const struct record *record, int index) {
    static const char *const sizes[] = {"block_size_x", "block_size_y", "block_size_z"};
    return index < 3 ? sizes[index] : record->tunables[index - 3].name;
}

static int64_t tunable_value(const struct record *record, int index) {
    return index < 3 ? record->wg[index] : (int64_t)record->tunables[index - 3].value;
}

static int tunable_count(const struct record *record) {
    return 3 + record->tunable_count;
}

static const char *started(const struct result *result) {
    return json_get_string(json_get(result->context, "run"), "started", "1970-01-01T00:00:00Z");
}

static const struct summary *compute_of(const struct record *record) {
    return &record->time[FIGURE_COMPUTE];
}

static bool is_timed(const struct record *record) {
    return record->status == RECORD_PASS && compute_of(record)->samples;
}

static struct json_object *runtimes(const struct record *record) {
    struct json_object *times = json_object_new_array();
    const double *samples = record->samples[FIGURE_COMPUTE];
    for (size_t i = 0; samples && i < compute_of(record)->samples; i++)
        json_object_array_add(times, json_double(samples[i] / ms));
    if (!samples) json_object_array_add(times, json_double(compute_of(record)->median / ms));
    return times;
}

static double benchmark_ms(const struct record *record) {
    return is_timed(record)
               ? compute_of(record)->median * (double)compute_of(record)->samples * fmax(record->repeats, 1) / ms
               : 0;
}

// ---- T4

static const char *invalidity(const struct record *record) {
    static const char *const names[] = {[RECORD_PASS] = "correct",
        [RECORD_FAIL] = "correctness",
        [RECORD_SKIP] = "constraints",
        [RECORD_ERROR] = "compile",
        [RECORD_TIMEOUT] = "timeout",
        [RECORD_CRASH] = "runtime",
        [RECORD_DEVICE_LOST] = "runtime"};
    return names[record->status];
}

static struct json_object *t4_times(const struct record *record) {
    struct json_object *times = json_object_new_object();
    json_put_double(times, "compilation_time", (double)record->build_ns / ms);
    json_put_double(times, "benchmark", benchmark_ms(record));
    json_put_double(times, "framework", 0);
    json_put_double(times, "search_algorithm", 0);
    json_put_double(times, "validation", (double)record->wall.ns[WALL_JUDGE] / ms);
    json_put(times, "runtimes", is_timed(record) ? runtimes(record) : json_object_new_array());
    return times;
}

static struct json_object *t4_result(const struct record *record, const struct result *result) {
    struct json_object *one = json_object_new_object(), *configuration = json_object_new_object(),
                       *measurements = json_object_new_array(), *objectives = json_object_new_array();
    for (int i = 0; i < tunable_count(record); i++)
        json_put_int(configuration, tunable_name(record, i), tunable_value(record, i));
    if (is_timed(record)) {
        struct json_object *time = json_object_new_object();
        json_put_string(time, "name", "time");
        json_put_double(time, "value", compute_of(record)->median / ms);
        json_put_string(time, "unit", "ms");
        json_object_array_add(measurements, time);
    }
    json_object_array_add(objectives, json_object_new_string("time"));
    json_put_string(one, "timestamp", started(result));
    json_put(one, "configuration", configuration);
    json_put(one, "times", t4_times(record));
    json_put_string(one, "invalidity", invalidity(record));
    json_put_int(one, "correctness", record->status == RECORD_PASS);
    json_put(one, "measurements", measurements);
    json_put(one, "objectives", objectives);
    return one;
}

static bool put_json(struct text *out, struct json_object *root, int flags) {
    text_append(out, json_object_to_json_string_ext(root, flags | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(root);
    return true;
}

bool export_t4(
    struct text *out, const struct record **records, size_t count, const struct result *result, struct error *err) {
    struct json_object *root = json_object_new_object(), *results = json_object_new_array();
    (void)err;
    for (size_t i = 0; i < count; i++) json_object_array_add(results, t4_result(records[i], result));
    json_put(root, "results", results);
    json_put_string(root, "schema_version", "1.0.0");
    return put_json(out, root, JSON_C_TO_STRING_PRETTY);
}

// ---- Kernel Tuner

static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static struct json_object *values_of(const struct record **records, size_t count, int index) {
    struct json_object *values = json_object_new_array();
    int64_t *all = malloc((count + 1) * sizeof *all);
    for (size_t i = 0; all && i < count; i++) all[i] = tunable_value(records[i], index);
    if (all) qsort(all, count, sizeof *all, by_value);
    for (size_t i = 0; all && i < count; i++)
        if (!i || all[i] != all[i - 1]) json_object_array_add(values, json_object_new_int64(all[i]));
    free(all);
    return values;
}

static const char *error_config(const struct record *record) {
    if (record->status == RECORD_SKIP) return "InvalidConfig";
    return record->status == RECORD_ERROR ? "CompilationFailedConfig" : "RuntimeFailedConfig";
}

static struct json_object *cache_line(const struct record *record, const struct result *result) {
    struct json_object *line = json_object_new_object();
    for (int i = 0; i < tunable_count(record); i++)
        json_put_int(line, tunable_name(record, i), tunable_value(record, i));
    if (is_timed(record)) {
        json_put_double(line, "time", compute_of(record)->median / ms);
        json_put(line, "times", runtimes(record));
    } else {
        json_put_string(line, "time", error_config(record));
    }
    json_put_double(line, "compile_time", (double)record->build_ns / ms);
    json_put_double(line, "verification_time", (double)record->wall.ns[WALL_JUDGE] / ms);
    json_put_double(line, "benchmark_time", benchmark_ms(record));
    json_put_double(line, "strategy_time", 0);
    json_put_double(line, "framework_time", 0);
    json_put_string(line, "timestamp", started(result));
    return line;
}

static void cache_key(const struct record *record, struct text *key) {
    for (int i = 0; i < tunable_count(record); i++)
        text_format(key, "%s%lld", i ? "," : "", (long long)tunable_value(record, i));
}

// Its reader expects the file to end in "}}}": the cache comes last, and nothing is indented.
bool export_kernel_tuner(struct text *out, const struct record **records, size_t count, const struct result *result,
    struct error *err) {
    struct json_object *root = json_object_new_object(), *keys = json_object_new_array(),
                       *params = json_object_new_object(), *cache = json_object_new_object(),
                       *size = json_object_new_array();
    const struct record *first = records[0];
    (void)err;
    for (int i = 0; i < first->dim_count; i++)
        json_object_array_add(size, json_object_new_int64((int64_t)first->dims[i].value));
    for (int i = 0; i < tunable_count(first); i++) {
        json_object_array_add(keys, json_object_new_string(tunable_name(first, i)));
        json_put(params, tunable_name(first, i), values_of(records, count, i));
    }
    for (size_t i = 0; i < count; i++) {
        struct text key = {0};
        cache_key(records[i], &key);
        json_put(cache, text_str(&key), cache_line(records[i], result));
        text_free(&key);
    }
    json_put_string(root, "schema_version", "1.0.0");
    json_put_string(root, "device_name", result->device.name);
    json_put_string(root, "kernel_name", first->kernel);
    json_put(root, "problem_size", size);
    json_put(root, "tune_params_keys", keys);
    json_put(root, "tune_params", params);
    json_put_string(root, "objective", "time");
    json_put(root, "cache", cache);
    return put_json(out, root, JSON_C_TO_STRING_PLAIN);
}
