// SPDX-License-Identifier: Apache-2.0
#include "baseline.h"

#include "../base/file.h"
#include "../readers/render/render.h"
#include "bench/bench.h"
#include "bench/kernel_archive.h"
#include "../record/journal.h"
#include "../truth/stats/summary.h"
#include "../base/json.h"
#include "../record/record.h"
#include "../record/result.h"
#include "../device/device_info.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Returns the path of the baseline of a model, or with `unit` of that unit.
static const char *path_of(struct arena *arena, const struct options *options, const struct device_info *device,
    const char *suite, const char *unit) {
    const char *root = options->baselines ? options->baselines : "reports/baselines";
    char version[16];
    snprintf(version, sizeof version, "%08x", (unsigned)device->driver_version);
    const char *name = file_slug(arena, device->name),
               *file = file_slug(arena, suite_within(arena, suite, &device->profile));
    const char *driver = file_slug(arena, *device->driver_info ? device->driver_info : version);
    return arena_format(
        arena, "%s/%s-%s/%s%s%s.json", root, name, driver, file, unit ? "-" : "", unit ? file_slug(arena, unit) : "");
}

const char *baseline_path(
    struct arena *arena, const struct options *options, struct device_key key, const char *suite) {
    const char *own = path_of(arena, options, key.device, suite, device_unit(arena, key));
    return file_exists(own) ? own : path_of(arena, options, key.device, suite, NULL);
}

// Moves another unit's baseline from the model's place to its own, and removes the older one of this unit.
static bool make_room(struct arena *arena, const struct options *options, const struct result *result,
    const char *suite, const char *path, struct error *err) {
    const struct device_key key = device_key(result->device, result->context);
    const char *own = path_of(arena, options, result->device, suite, device_unit(arena, key));
    struct result there;
    bool ok = true;
    if (file_exists(path) && result_read(path, &there, err)) {
        const struct device_key other = device_key(there.device, there.context);
        const char *to = path_of(arena, options, result->device, suite, device_unit(arena, other));
        if (device_key_difference(key, other, DEVICE_UNIT)) {
            rename(archive_path(arena, path), archive_path(arena, to)); // there may be none
            if (rename(path, to) != 0)
                ok = error_set(err, STATUS_FAULT, "%s: cannot be renamed to %s: %s", path, to, strerror(errno));
        }
        result_free(&there);
    }
    if (ok && file_exists(own)) {
        unlink(own);
        unlink(archive_path(arena, own));
    }
    return ok;
}

static void trim(struct record *record) {
    for (int f = 0; f < FIGURE_COUNT; f++) {
        if (f == FIGURE_COMPUTE) continue;
        record->time[f] = summarize(NULL, 0);
        record->samples[f] = NULL;
    }
    double *samples = record->samples[FIGURE_COMPUTE];
    // Six digits are a thousandth of the differences resolved by a median's interval, and a third of the bytes of
    // seventeen digits.
    for (size_t i = 0; samples && i < record->time[FIGURE_COMPUTE].samples; i++) {
        char digits[32];
        snprintf(digits, sizeof digits, "%.6g", samples[i]);
        samples[i] = strtod(digits, NULL);
    }
    record->reference.ns = NAN;
}

// Writes the parts of a result needed for comparing. Records keep only the compute figure of their times, with raw
// samples rounded to six digits. The records of `result` are changed.
static bool baseline_write(struct arena *arena, struct result *result, const char *path, struct error *err) {
    if (!file_make_folder(file_folder(arena, path), err)) return false;
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < result->count; i++) {
        trim(&result->records[i]);
        json_object_array_add(list, record_to_json(&result->records[i], true));
    }
    struct json_object *whole = json_object_get(result->context);
    json_put(whole, "records", list);
    bool ok = json_write(path, whole, false, err);
    json_object_object_del(whole, "records");
    json_object_put(whole);
    return ok;
}

// Counts the points that ran. Peaks count only if there is nothing else.
static size_t measured_of(const struct result *result) {
    size_t ran = 0, points = 0, rulers = 0;
    for (size_t i = 0; i < result->count; i++) {
        const bool runs = result->records[i].status != RECORD_SKIP;
        points += !result->records[i].peak;
        ran += runs && !result->records[i].peak;
        rulers += runs && result->records[i].peak;
    }
    return points ? ran : rulers;
}

// Keeps the kernels of a run beside its baseline, for gates to measure again. A result made elsewhere names no
// kernels of this machine, so an earlier baseline's kernels are removed.
static bool keep_kernels(struct arena *arena, const struct options *options, const struct result *result,
    const struct kernels *kernels, const char *path, struct error *err) {
    const char *to = archive_path(arena, path);
    struct error why = {0};
    unlink(to);
    if (kernels && archive_write(arena, to, archive_id(arena, result), options, kernels, &why)) return true;
    if (kernels && why.status != STATUS_NOTHING) {
        *err = why;
        return false;
    }
    printf("baseline: kernels not stored: %s; gates compare only with these times\n",
        kernels ? why.text : "those of a result made elsewhere are unknown");
    return true;
}

// Keeps the result at `source` as a baseline of its own device, driver, suite and profile of limits. `kernels` NULL:
// unknown.
static bool keep(struct arena *arena, const struct options *options, const char *source, const struct kernels *kernels,
    enum status *status, struct error *err) {
    struct result result;
    if (!result_read(source, &result, err)) return false;
    const char *suite = json_get_string(json_get(result.context, "run"), "suite", "gate");
    const char *path = path_of(arena, options, result.device, suite, NULL);
    const char *cut_short = whole_words(arena, json_get(result.context, "run"));
    const size_t measured = measured_of(&result), count = result.count;
    bool ok = cut_short || !measured ||
              (make_room(arena, options, &result, suite, path, err) && baseline_write(arena, &result, path, err) &&
                  keep_kernels(arena, options, &result, kernels, path, err));
    size_t wrong = render_failures(&result, stdout);
    if (cut_short)
        printf("baseline: not stored: the run of %s was %s\n", source, cut_short);
    else if (!measured)
        printf("baseline: not stored: %s has no measured points\n", source);
    else if (ok)
        printf(
            "baseline: %zu points of %s, %zu of them not right, are in %s\n", count, result.device->name, wrong, path);
    result_free(&result);
    *status = status_join(*status, wrong       ? STATUS_WRONG
                                   : !measured ? STATUS_NOTHING
                                   : cut_short ? STATUS_PARTIAL
                                               : STATUS_OK);
    return ok;
}

static bool keep_run(struct arena *arena, const struct bench_run *run, enum status *status, struct error *err) {
    return keep(arena, run->options, run->path, run->kernels, status, err);
}

// Returns whether a word is the path of a result. Other words select points, as for `bench`.
static bool is_path(const char *word) {
    const size_t length = strlen(word);
    return file_exists(word) || (length > 5 && strcmp(word + length - 5, ".json") == 0);
}

bool baseline_save(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    const struct bench bench = {.verb = "gate", .suite = "gate", .time = true, .after = keep_run};
    size_t paths = 0;
    for (size_t i = 0; i < options->word_count; i++) paths += is_path(options->words[i]);
    if (!paths) return bench_suite(arena, options, &bench, status, err);
    if (paths < options->word_count)
        return error_set(
            err, STATUS_USAGE, "gate --save-baseline: expected either results or a selection of points, found both");
    for (size_t i = 0; i < options->word_count; i++)
        if (!keep(arena, options, options->words[i], NULL, status, err)) return false;
    return true;
}
