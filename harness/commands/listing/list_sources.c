// SPDX-License-Identifier: Apache-2.0
#include "list_sources.h"

#include "../../base/names.h"
#include "../../engine/plan/shapes.h"
#include "../../engine/program/shaders.h"
#include "../../record/record.h"
#include "../../record/result.h"

#include <string.h>

// Returns whether the kernel is gone, or its source on that device differs from the record's.
static bool has_changed(const struct kernel *kernel, const struct device_info *device, const struct run_options *run,
    const struct record *record) {
    struct arena scratch = {0};
    struct error ignored = {0};
    struct point point = {.kernel = kernel};
    uint64_t now = 0;
    if (!kernel) return true;
    point.dtype = dtype_named(record->dtype);
    point.shape = shape_of_record(kernel, record);
    bool same = record->source_hash == kernel->manifest_hash || // the point was not built
                (shaders_source(&scratch, device, run, &point, &now, &ignored) && now == record->source_hash);
    arena_free(&scratch);
    return !same;
}

static struct json_object *result_listing(struct arena *arena, const char *path, const struct kernels *kernels,
    const struct run_options *run, struct error *err) {
    struct json_object *object = json_object_new_object(), *changed = json_object_new_array();
    struct names seen = {0}, named = {0};
    struct result result;
    if (!result_read(path, &result, err)) return json_object_put(object), json_object_put(changed), NULL;
    for (size_t i = 0; i < result.count; i++) {
        const struct record *record = &result.records[i];
        const struct kernel *kernel = kernel_named(kernels, record->kernel);
        const char *key = arena_format(arena, "%s %s", record->kernel, record->dtype);
        // Probes have no shaders of their own. If no manifest has its kernel, the record needs a hash.
        const bool has_shaders = kernel ? !kernel->probe : record->source_hash != 0;
        if (record->status == RECORD_SKIP || !has_shaders) continue;
        if (names_get(&seen, key, strlen(key)) != NAMES_NONE) continue;
        names_put(&seen, key, strlen(key), i);
        if (!has_changed(kernel, result.device, run, record)) continue;
        const char *name = arena_copy(arena, record->kernel);
        if (names_get(&named, name, strlen(name)) != NAMES_NONE) continue;
        names_put(&named, name, strlen(name), i);
        json_object_array_add(changed, json_object_new_string(name));
    }
    json_put_string(object, "file", path);
    json_put_string(object, "git", json_get_string(json_get(result.context, "tool"), "git", ""));
    json_put_int(object, "compared", (int64_t)seen.count);
    json_put(object, "changed", changed);
    json_put_bool(object, "historical", json_get_bool(json_get(result.context, "run"), "historical", false));
    names_free(&seen);
    names_free(&named);
    result_free(&result);
    return object;
}

struct json_object *sources_listing(
    struct arena *arena, const struct options *options, const struct prepared *prepared, struct error *err) {
    const char *includes[OPTION_LIST + 2];
    struct run_options run = options->run;
    prepare_includes(arena, prepared, includes, &run.include_count);
    run.include_folders = includes;
    run.cache_folder = NULL;
    if (options->word_count < 2) return error_set(err, STATUS_USAGE, "list sources: expected results behind it"), NULL;
    struct json_object *list = json_object_new_array();
    for (size_t i = 1; i < options->word_count; i++) {
        struct json_object *object = result_listing(arena, options->words[i], &prepared->kernels, &run, err);
        if (!object) return json_object_put(list), NULL;
        json_object_array_add(list, object);
    }
    return list;
}
