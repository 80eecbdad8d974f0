// SPDX-License-Identifier: Apache-2.0
// Suite files: the frame and the settings.
#include "suite_entry.h"

#include "../base/kind.h"

#include <stddef.h>
#include <string.h>

struct settings settings_standard(void) {
    return (struct settings){.point_seconds = 0.5,
        .precision = 0.01,
        .least_samples = 10,
        .most_samples = 1000,
        .longest_dispatch_s = 0.5,
        .check_operations = 2e8,
        .reference_seconds = 0.5,
        .memory_share = 0.5,
        .some_shapes = 4};
}

// The numeric settings.
static const struct setting {
    const char *name;
    size_t offset;
    bool whole; // an int of at least `above`; the others are doubles greater than `above`
    double above, high;
} number_settings[] = {
    {"point_seconds", offsetof(struct settings, point_seconds), false, 0, 86400},
    {"precision", offsetof(struct settings, precision), false, 0, 1},
    {"longest_dispatch_s", offsetof(struct settings, longest_dispatch_s), false, 0, 3600},
    {"check_operations", offsetof(struct settings, check_operations), false, 0, 1e18},
    {"reference_seconds", offsetof(struct settings, reference_seconds), false, 0, 86400},
    {"memory_share", offsetof(struct settings, memory_share), false, 0, 1},
    {"least_samples", offsetof(struct settings, least_samples), true, 1, 1000000},
    {"most_samples", offsetof(struct settings, most_samples), true, 1, 1000000},
    {"some_shapes", offsetof(struct settings, some_shapes), true, 0, 1000},
};
static const char *const setting_keys[] = {"point_seconds", "precision", "longest_dispatch_s", "check_operations",
    "reference_seconds", "memory_share", "least_samples", "most_samples", "some_shapes", "cache", NULL};

static bool read_number(
    const struct json_at *at, const struct setting *setting, struct settings *out, struct error *err) {
    void *to = (char *)out + setting->offset;
    double value;
    int64_t whole;
    if (setting->whole) {
        if (!json_integer(at, (int64_t)setting->above, (int64_t)setting->high, &whole, err)) return false;
        *(int *)to = (int)whole;
        return true;
    }
    if (!json_number(at, &value, err)) return false;
    if (!(value > setting->above && value <= setting->high))
        return json_fail(
            at, err, "expected a number above %g and at most %g, found %g", setting->above, setting->high, value);
    *(double *)to = value;
    return true;
}

static bool read_cache(const struct json_at *at, struct arena *arena, struct settings *out, struct error *err) {
    const char *cache;
    if (!json_string(at, arena, &cache, err)) return false;
    out->cold = strcmp(cache, "cold") == 0;
    return out->cold || strcmp(cache, "hot") == 0 ||
           json_fail(at, err, "expected \"hot\" or \"cold\", found \"%s\"", cache);
}

static bool read_settings(const struct json_at *object, struct arena *arena, struct settings *out, struct error *err) {
    struct json_at at;
    if (!json_only(object, setting_keys, err)) return false;
    for (size_t i = 0; i < sizeof number_settings / sizeof *number_settings; i++)
        if (!json_member(object, number_settings[i].name, true, &at, err) ||
            (at.value && !read_number(&at, &number_settings[i], out, err)))
            return false;
    if (!json_member(object, "cache", true, &at, err) || (at.value && !read_cache(&at, arena, out, err))) return false;
    return out->least_samples <= out->most_samples ||
           json_fail(
               object, err, "least_samples (%d) is above most_samples (%d)", out->least_samples, out->most_samples);
}

static bool read_entries(const struct json_at *root, struct arena *arena, struct suite *out, struct error *err) {
    struct json_at list, item;
    if (!json_member(root, "entries", false, &list, err) || !json_expect(&list, json_type_array, err)) return false;
    size_t capacity = 0;
    if (!json_count(&list)) return json_fail(&list, err, "expected at least one entry");
    for (size_t i = 0; i < json_count(&list); i++)
        if (!json_item(&list, i, &item, err) || !suite_entry_read(arena, &item, out, &capacity, err)) return false;
    return true;
}

static bool read_suite(const struct json_at *root, struct arena *arena, struct suite *out, struct error *err) {
    static const char *const keys[] = {"schema_version", "name", "summary", "settings", "entries", "claims", NULL};
    struct json_at at;
    int64_t version;
    if (!json_only(root, keys, err)) return false;
    if (!json_member(root, "schema_version", false, &at, err) || !json_integer(&at, 1, 1, &version, err)) return false;
    if (!json_member(root, "name", false, &at, err) || !json_string(&at, arena, &out->name, err)) return false;
    if (!json_member(root, "summary", false, &at, err) || !json_string(&at, arena, &out->summary, err)) return false;
    if (!json_member(root, "settings", true, &at, err) || (at.value && !read_settings(&at, arena, &out->settings, err)))
        return false;
    return read_entries(root, arena, out, err);
}

bool suite_load(struct arena *arena, const char *path, struct suite *out, struct error *err) {
    *out = (struct suite){.settings = settings_standard(), .file = arena_copy(arena, path)};
    struct json_object *json = kind_read(path, KIND_SUITE, err);
    if (!json) return false;
    struct json_at root = json_root(json, out->file);
    bool ok = read_suite(&root, arena, out, err);
    json_object_put(json);
    return ok;
}
