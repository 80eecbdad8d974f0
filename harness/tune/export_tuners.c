// SPDX-License-Identifier: Apache-2.0
// A case's space for other tuners, with times in milliseconds. T4 results follow the schema of the T4 auto-tuning
// format, version 1.0.0. Cache files of Kernel Tuner follow its schema/cache/1.0.0, and the needs of util.read_cache
// and the simulation runner. Each comes with a T1 input file (version 1.0.0).
#include "exports.h"

#include "../base/memory.h"
#include "../stats/summary.h"
#include "../record/result.h"
#include "../record/terms.h"
#include "../record/wall.h"
#include "../record/cases.h"
#include "../record/figures.h"
#include "../record/record.h"
#include "../device/device_info.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ms = 1e6; // in nanoseconds

// Tunables in one order: the workgroup under Kernel Tuner's own names, then the others.
static const char *tunable_name(const struct record *record, int index) {
    static const char *const sizes[] = {"WG_X", "WG_Y", "WG_Z"};
    return tuner_name(index < 3 ? sizes[index] : record->tunables[index - 3].name);
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

static struct json_object *runtimes(const struct record *record) {
    struct json_object *times = json_object_new_array();
    const double *samples = record->samples[FIGURE_COMPUTE];
    for (size_t i = 0; samples && i < record->time[FIGURE_COMPUTE].samples; i++)
        json_object_array_add(times, json_double(samples[i] / ms));
    if (!samples) json_object_array_add(times, json_double(compute_ns(record) / ms));
    return times;
}

static double benchmark_ms(const struct record *record) {
    return record_is_timed(record)
               ? compute_ns(record) * (double)record->time[FIGURE_COMPUTE].samples * fmax(record->repeats, 1) / ms
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
        [RECORD_DEVICE_LOST] = "runtime",
        [RECORD_COMPILED] = "constraints"}; // not run
    return names[record->status];
}

static struct json_object *t4_times(const struct record *record) {
    struct json_object *times = json_object_new_object();
    json_put_double(times, "compilation_time", (double)record->build_ns / ms);
    json_put_double(times, "benchmark", benchmark_ms(record));
    json_put_double(times, "framework", 0);
    json_put_double(times, "search_algorithm", 0);
    json_put_double(times, "validation", (double)record->wall.ns[WALL_JUDGE] / ms);
    json_put(times, "runtimes", record_is_timed(record) ? runtimes(record) : json_object_new_array());
    return times;
}

static struct json_object *t4_result(const struct record *record, const struct result *result) {
    struct json_object *one = json_object_new_object(), *configuration = json_object_new_object(),
                       *measurements = json_object_new_array(), *objectives = json_object_new_array();
    for (int i = 0; i < tunable_count(record); i++)
        json_put_int(configuration, tunable_name(record, i), tunable_value(record, i));
    if (record_is_timed(record)) {
        struct json_object *time = json_object_new_object();
        json_put_string(time, "name", "time");
        json_put_double(time, "value", compute_ns(record) / ms);
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

static bool put_t4(struct text *out, const struct export_case *one, struct error *err) {
    struct json_object *root = json_object_new_object(), *results = json_object_new_array();
    (void)err;
    for (size_t i = 0; i < one->count; i++) json_object_array_add(results, t4_result(one->records[i], one->result));
    json_put(root, "results", results);
    json_put_string(root, "schema_version", "1.0.0");
    json_put_text(out, root, JSON_C_TO_STRING_PRETTY);
    return true;
}

// ---- Kernel Tuner

static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static struct json_object *values_of(const struct record **records, size_t count, int index) {
    struct json_object *values = json_object_new_array();
    int64_t *all = memory_alloc(count, sizeof *all);
    for (size_t i = 0; i < count; i++) all[i] = tunable_value(records[i], index);
    qsort(all, count, sizeof *all, by_value);
    for (size_t i = 0; i < count; i++)
        if (!i || all[i] != all[i - 1]) json_object_array_add(values, json_object_new_int64(all[i]));
    free(all);
    return values;
}

static struct json_object *cache_line(const struct record *record, const struct result *result) {
    struct json_object *line = json_object_new_object();
    for (int i = 0; i < tunable_count(record); i++)
        json_put_int(line, tunable_name(record, i), tunable_value(record, i));
    if (record_is_timed(record)) {
        json_put_double(line, "time", compute_ns(record) / ms);
        json_put(line, "times", runtimes(record));
    } else {
        const char *compiled = record->status == RECORD_ERROR ? "CompilationFailedConfig" : "RuntimeFailedConfig";
        json_put_string(line, "time", record->status == RECORD_SKIP ? "InvalidConfig" : compiled);
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

static struct json_object *problem_size(const struct record *record) {
    struct json_object *size = json_object_new_array();
    for (int i = 0; i < record->dim_count; i++)
        json_object_array_add(size, json_object_new_int64((int64_t)record->dims[i].value));
    return size;
}

// Returns only the expressions, for tune_kernel.
static struct json_object *expressions(const struct export_case *one) {
    struct json_object *conditions = restrictions_make(one), *list = json_object_new_array();
    for (size_t i = 0; i < json_object_array_length(conditions); i++)
        json_object_array_add(list, json_object_get(json_get(json_object_array_get_idx(conditions, i), "Expression")));
    json_object_put(conditions);
    return list;
}

// Kernel Tuner's reader expects the file to end in "}}}", so the cache comes last and nothing is indented.
static bool put_kernel_tuner(struct text *out, const struct export_case *one, struct error *err) {
    struct json_object *root = json_object_new_object(), *keys = json_object_new_array(),
                       *params = json_object_new_object(), *cache = json_object_new_object();
    const struct record *first = one->records[0];
    (void)err;
    for (int i = 0; i < tunable_count(first); i++) {
        json_object_array_add(keys, json_object_new_string(tunable_name(first, i)));
        json_put(params, tunable_name(first, i), values_of(one->records, one->count, i));
    }
    for (size_t i = 0; i < one->count; i++) {
        struct text key = {0};
        cache_key(one->records[i], &key);
        json_put(cache, text_str(&key), cache_line(one->records[i], one->result));
        text_free(&key);
    }
    json_put_string(root, "schema_version", "1.0.0");
    json_put_string(root, "device_name", one->result->device->name);
    json_put_string(root, "kernel_name", first->kernel);
    json_put(root, "problem_size", problem_size(first));
    json_put(root, "tune_params_keys", keys);
    json_put(root, "tune_params", params);
    json_put(root, "restrictions", expressions(one));
    json_put_string(root, "objective", "time");
    json_put(root, "cache", cache);
    json_put_text(out, root, JSON_C_TO_STRING_PLAIN);
    return true;
}

// ---- T1

static struct json_object *parameters(const struct export_case *one) {
    struct json_object *list = json_object_new_array();
    for (int i = 0; i < tunable_count(one->records[0]); i++) {
        struct json_object *parameter = json_object_new_object(), *values = values_of(one->records, one->count, i);
        json_put_string(parameter, "Name", tunable_name(one->records[0], i));
        json_put_string(parameter, "Type", "int");
        json_put_string(parameter, "Values", json_object_to_json_string_ext(values, JSON_C_TO_STRING_PLAIN));
        json_object_put(values);
        json_object_array_add(list, parameter);
    }
    return list;
}

static struct json_object *axes_json(const char *x, const char *y, const char *z) {
    struct json_object *axes = json_object_new_object();
    json_put_string(axes, "X", x);
    json_put_string(axes, "Y", y);
    json_put_string(axes, "Z", z);
    return axes;
}

static struct json_object *specification(const struct export_case *one) {
    struct json_object *kernel = json_object_new_object(), *device = json_object_new_object();
    const struct kernel *known = one->kernels ? kernel_named(one->kernels, one->records[0]->kernel) : NULL;
    struct text groups[3] = {0};
    restrictions_grid(one, groups);
    json_put_string(device, "Name", one->result->device->name);
    json_put_string(kernel, "Language", "Vulkan");
    json_put_string(kernel, "KernelName", one->records[0]->kernel);
    json_put_string(kernel, "KernelFile", known ? strrchr(known->passes[0].shader, '/') + 1 : one->records[0]->kernel);
    json_put_string(kernel, "SimulationInput", one->file);
    json_put_string(kernel, "GlobalSizeType", "Vulkan");
    json_put(kernel, "GlobalSize", axes_json(text_str(&groups[0]), text_str(&groups[1]), text_str(&groups[2])));
    json_put(kernel, "LocalSize", axes_json(tuner_name("WG_X"), tuner_name("WG_Y"), tuner_name("WG_Z")));
    json_put(kernel, "ProblemSize", problem_size(one->records[0]));
    json_put(kernel, "Device", device);
    json_put(kernel, "Arguments", json_object_new_array());
    for (int axis = 0; axis < 3; axis++) text_free(&groups[axis]);
    return kernel;
}

static bool put_t1(struct text *out, const struct export_case *one, struct error *err) {
    struct json_object *root = json_object_new_object(), *general = json_object_new_object(),
                       *space = json_object_new_object(), *search = json_object_new_object();
    (void)err;
    json_put_int(general, "FormatVersion", 1);
    json_put_string(general, "TimeUnit", "Milliseconds");
    json_put_string(general, "OutputFormat", "JSON");
    json_put(space, "TuningParameters", parameters(one));
    json_put(space, "Conditions", restrictions_make(one));
    json_put_string(search, "Name", "brute_force");
    json_put(root, "General", general);
    json_put(root, "ConfigurationSpace", space);
    json_put(root, "Search", search);
    json_put(root, "KernelSpecification", specification(one));
    json_put_text(out, root, JSON_C_TO_STRING_PRETTY);
    return true;
}

const struct export_format format_t4 = {.name = "t4",
    .summary = "T4 auto-tuning results, every shape with its times",
    .single = true,
    .also = KIND_SPACES,
    .put_case = put_t4};
const struct export_format format_kernel_tuner = {.name = "kernel-tuner",
    .summary = "Kernel Tuner cache files, each with a T1 input file of the manifest's and device's restrictions",
    .single = true,
    .also = KIND_SPACES,
    .put_case = put_kernel_tuner,
    .put_second = put_t1,
    .second_ending = ".t1.json"};
