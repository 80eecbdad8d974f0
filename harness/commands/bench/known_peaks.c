// SPDX-License-Identifier: Apache-2.0
#include "known_peaks.h"

#include "../../base/file.h"
#include "../../base/hash.h"
#include "../../record/journal.h"
#include "../../record/device_key.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../device/device_info.h"
#include "../../base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *known_peaks_path(struct arena *arena, const char *cache, struct device_key key_of) {
    const struct device_info *device = key_of.device;
    const char *const parts[] = {context_tool(), device_unit(arena, key_of), device->driver_name, device->driver_info};
    uint64_t key = HASH_START;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) key = hash_string(hash_bytes(key, "/", 1), parts[i]);
    key = hash_bytes(key, &device->driver_version, sizeof device->driver_version);
    return cache ? arena_format(arena, "%s/peaks-%016" PRIx64 ".json", cache, key) : NULL;
}

static const char *path_of(struct arena *arena, const struct session *session, struct json_object *context) {
    return known_peaks_path(arena, session->options.cache_folder, device_key(session->device, context));
}

// Returns the hash of a kernel's current manifest and shaders; "" if one cannot be read.
static const char *sources_of(struct arena *arena, const struct kernel *kernel) {
    uint64_t hash = kernel->manifest_hash;
    for (int i = 0; i < kernel->pass_count; i++) {
        struct error ignored;
        size_t length;
        const char *text = file_read(arena, kernel->passes[i].shader, &length, &ignored);
        if (!text) return "";
        hash = hash_bytes(hash, text, length);
    }
    return arena_format(arena, "%016" PRIx64, hash);
}

// Returns whether peaks are measured as by default: hot, by the device's clock, with nothing else running beside
// them.
static bool is_usual(const struct run *run) {
    const struct options *options = run->options;
    const struct run_options *as = &options->run;
    return run->bench->time && !options->reference_only && !run->suite.settings.cold && !as->validate &&
           !as->gpu_assisted && !as->host_clock && !as->energy && !(as->interval_s > 0);
}

// Returns whether the kept record is valid: it makes a passing record of this point and peak, with a date such as
// "2026-01-31T12:00:00Z".
static bool is_sound(struct json_object *kept, const char *name, const char *peak) {
    struct arena arena = {0};
    struct record read;
    struct error ignored;
    const char *measured = json_get_string(kept, "measured", "");
    struct json_object *record = json_get(kept, "record");
    const bool sound = strlen(measured) == 20 && strspn(measured, "0123456789-:TZ") == 20 && record &&
                       record_from_json(&arena, record, &read, &ignored) && read.status == RECORD_PASS && read.peak &&
                       strcmp(read.peak, peak) == 0 && strcmp(read.name, name) == 0;
    arena_free(&arena);
    return sound;
}

// Returns whether the kept record is valid, and of the kernel's current sources.
static bool is_current(
    struct arena *arena, struct json_object *kept, const char *name, const char *peak, const struct kernel *kernel) {
    return is_sound(kept, name, peak) && strcmp(json_get_string(kept, "sources", ""), sources_of(arena, kernel)) == 0;
}

const char *known_peaks_take(struct arena *arena, const struct run *run, struct session *session) {
    const struct options *options = run->options;
    const struct plan *plan = &session->plan;
    const char *path = path_of(arena, session, session->context), *from = NULL;
    struct error ignored;
    if (!path || !options->word_count || !run->bench->knows_peaks || session->resume || !is_usual(run)) return NULL;
    struct json_object *file = file_exists(path) ? json_read(path, &ignored) : NULL;
    session->known = arena_alloc(arena, plan->count + 1, sizeof *session->known);
    for (size_t i = 0; i < plan->count; i++) {
        const struct point *point = &plan->points[i];
        const bool asked = !point->peak || select_asks(options->words, options->word_count, point->name, point->peak);
        struct json_object *kept = asked ? NULL : json_get(json_get(file, "peaks"), point->name);
        const char *measured = json_get_string(kept, "measured", "");
        if (!kept || !is_current(arena, kept, point->name, point->peak, point->kernel)) continue;
        session->known[session->known_count++] = json_object_get(json_get(kept, "record"));
        if (!from || strcmp(measured, from) < 0) from = arena_copy(arena, measured);
    }
    json_object_put(file);
    if (from) json_put_string(json_get(session->context, "run"), "peaks_from", from);
    return from;
}

void known_peaks_floor(struct arena *arena, const struct kernels *kernels, struct session *session) {
    const char *path = known_peaks_path(arena, session->options.cache_folder, device_key_here(arena, session->device));
    struct error ignored;
    struct json_object *file = path && file_exists(path) ? json_read(path, &ignored) : NULL;
    struct json_object *peaks = json_get(file, "peaks");
    if (json_object_is_type(peaks, json_type_object)) {
        struct json_object **records =
            arena_alloc(arena, (size_t)json_object_object_length(peaks) + 1, sizeof *records);
        size_t count = 0;
        json_object_object_foreach(peaks, name, kept) {
            struct json_object *record = json_get(kept, "record");
            const struct kernel *kernel = kernel_named(kernels, json_get_string(record, "kernel", ""));
            if (kernel && is_current(arena, kept, name, json_get_string(record, "peak", ""), kernel))
                records[count++] = record;
        }
        estimate_learn(&session->floors, records, count);
    }
    json_object_put(file);
}

// ---- peaks of this run

// Returns whether the peak is better than the earlier one of the same sources, or there is none. A busy host or a
// throttled device lowers a peak, and nothing raises it.
static bool is_best(struct arena *arena, struct json_object *kept, struct json_object *before, const char *name,
    const struct point *point) {
    struct json_object *records[] = {json_get(before, "record"), json_get(kept, "record")};
    if (!before || !is_current(arena, before, name, point->peak, point->kernel)) return true;
    struct json_object *old = peaks_make(records, 1), *both = peaks_make(records, 2);
    const double was = json_get_double(old, point->peak, NAN), best = json_get_double(both, point->peak, NAN);
    json_object_put(old);
    json_object_put(both);
    return best != was;
}

// Puts the record into `peaks`, if it is the best so far.
static bool keep(struct arena *arena, const struct device_run *one, struct json_object *record, const char *started,
    struct json_object *peaks) {
    const char *name = json_get_string(record, "name", "");
    const struct point *point = json_get_string(record, "peak", NULL) ? plan_point(&one->session.plan, name) : NULL;
    if (!point || !point->peak) return false;
    for (size_t i = 0; i < one->session.known_count; i++)
        if (one->session.known[i] == record) return false;
    struct json_object *before = json_get(peaks, name), *kept = json_object_new_object();
    json_put_string(kept, "measured", started);
    json_put_string(kept, "sources", sources_of(arena, point->kernel));
    json_put(kept, "record", json_object_get(record));
    const bool good = is_sound(kept, name, point->peak) && is_best(arena, kept, before, name, point);
    if (good)
        json_put(peaks, name, kept);
    else
        json_object_put(kept);
    return good;
}

void known_peaks_keep(struct arena *arena, const struct run *run, const struct device_run *one) {
    const struct settings *given = &run->options->run.settings;
    const char *path = path_of(arena, &one->session, one->outcome.context);
    const char *started = json_get_string(json_get(one->outcome.context, "run"), "started", "");
    struct error ignored;
    size_t added = 0;
    if (!path || !is_usual(run) || given->point_seconds > 0 || given->least_samples || given->precision > 0) return;
    struct json_object *file = file_exists(path) ? json_read(path, &ignored) : NULL;
    if (!json_object_is_type(json_get(file, "peaks"), json_type_object)) {
        json_object_put(file);
        file = json_object_new_object();
        json_put(file, "peaks", json_object_new_object());
    }
    for (size_t i = 0; i < one->outcome.count; i++)
        added += keep(arena, one, one->outcome.records[i], started, json_get(file, "peaks"));
    if (added) json_write(path, file, false, &ignored); // on failure they are measured again next time
    json_object_put(file);
}

void known_peaks_release(struct session *session) {
    for (size_t i = 0; i < session->known_count; i++) json_object_put(session->known[i]);
    session->known_count = 0;
}
