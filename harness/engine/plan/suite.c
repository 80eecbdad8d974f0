// SPDX-License-Identifier: Apache-2.0
// Suite files: the frame and the settings.
#include "suite_entry.h"

#include "../../../reference/operator.h"
#include "../../base/kind.h"

#include <string.h>

struct settings settings_standard(void) {
    return (struct settings){.point_seconds = 0.5,
        .precision = 0.01,
        .least_samples = 10,
        .most_samples = 1000,
        .cpu_samples = 0,
        .cpu_sanitize = true,
        .plain_inputs = false,
        .longest_dispatch_s = 0.5,
        .check_operations = 2e8,
        .reference_seconds = 0.5,
        .memory_share = 0.5,
        .some_shapes = 4};
}

#define AT(member) offsetof(struct settings, member)
#define SECONDS(MOST) KIND(kind_above_0, .most = MOST)
#define COUNT(LEAST, MOST) KIND(kind_int, .least = LEAST, .most = MOST)

static bool cache_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    const char *cache;
    bool *cold = member;
    if (!json_string(at, arena, &cache, err)) return false;
    *cold = strcmp(cache, "cold") == 0;
    return *cold || strcmp(cache, "hot") == 0 ||
           json_fail(at, err, "expected \"hot\" or \"cold\", found \"%s\"", cache);
}

static const struct field setting_fields[] = {
    {"point_seconds", SECONDS(86400), AT(point_seconds), SPARSE},
    {"precision", KIND(kind_above_0, .most = 1), AT(precision), SPARSE},
    {"longest_dispatch_s", SECONDS(3600), AT(longest_dispatch_s), SPARSE},
    {"check_operations", KIND(kind_above_0, .most = 1e18), AT(check_operations), SPARSE},
    {"reference_seconds", SECONDS(86400), AT(reference_seconds), SPARSE},
    {"memory_share", KIND(kind_above_0, .most = 1), AT(memory_share), SPARSE},
    {"least_samples", COUNT(1, 1000000), AT(least_samples), SPARSE},
    {"most_samples", COUNT(1, 1000000), AT(most_samples), SPARSE},
    {"cpu_samples", COUNT(1, 1000000), AT(cpu_samples), SPARSE},
    {"cpu_sanitize", &kind_flag, AT(cpu_sanitize), SPARSE},
    {"plain_inputs", &kind_flag, AT(plain_inputs), SPARSE},
    {"some_shapes", COUNT(0, 1000), AT(some_shapes), SPARSE},
    {"cache", &(const struct kind){.get = cache_get, .schema = SCHEMA({"enum" : [ "hot", "cold" ]})}, AT(cold), SPARSE},
    {0},
};
static const struct kind settings_form = {.fields = setting_fields, .closed = true};

static bool settings_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    const struct settings *out = member;
    if (!kind_get(&settings_form, arena, at, member, err)) return false;
    return out->least_samples <= out->most_samples ||
           json_fail(at, err, "least_samples (%d) is above most_samples (%d)", out->least_samples, out->most_samples);
}
static const struct kind kind_settings = {.get = settings_get, .fields = setting_fields};

struct suite_text {
    struct suite suite;
    struct entry_text *entries;
    size_t count;
};
const struct field suite_fields[] = {
    {"schema_version", &kind_version_1, 0, REQUIRED},
    {"name", &kind_text, offsetof(struct suite_text, suite.name), REQUIRED},
    {"summary", &kind_text, offsetof(struct suite_text, suite.summary), REQUIRED},
    {"settings", &kind_settings, offsetof(struct suite_text, suite.settings), SPARSE},
    {"entries", ARENA_LIST(struct suite_text, entries, count, &kind_entry_text, 1), 0, REQUIRED},
    {0},
};
// Claims are read by claims_load.
static const struct field claims_too[] = {{"claims", NULL, 0, SPARSE}, {0}};
static const struct kind kind_suite = {.fields = suite_fields, .closed = true, .also = claims_too};

bool suite_load(struct arena *arena, const char *path, struct suite *out, struct error *err) {
    struct suite_text text = {.suite = {.settings = settings_standard(), .file = arena_copy(arena, path)}};
    size_t capacity = 0;
    *out = (struct suite){0};
    struct json_object *json = kind_read(path, KIND_SUITE, err);
    if (!json) return false;
    struct json_at root = json_root(json, text.suite.file);
    bool ok = kind_get(&kind_suite, arena, &root, &text, err);
    *out = text.suite;
    for (size_t i = 0; ok && i < text.count; i++) suite_entries_add(arena, &text.entries[i], out, &capacity);
    json_object_put(json);
    return ok;
}

static struct suite_entry entry_of_recordings(struct arena *arena, const struct kernel *kernel) {
    const size_t count = (size_t)kernel->recorded->count;
    struct suite_dims *dims = arena_alloc(arena, 1, sizeof *dims);
    dims->items = arena_alloc(arena, 1, sizeof *dims->items);
    dims->items[0] = (struct suite_values){kernel->op->dims[0], arena_alloc(arena, count, sizeof(double)), count};
    dims->count = 1;
    dims->where = "";
    for (size_t i = 0; i < count; i++) dims->items[0].values[i] = (double)(i + 1);
    return (struct suite_entry){.kernel = kernel->name, .subject = "", .dims = dims, .dims_count = 1, .where = ""};
}

// Names the suite by its folder, so that two captures have baselines of their own: "capture-mlp" for mlp/, and
// "capture-main" for capture-main/. Several folders are "captures".
static const char *name_of_captures(struct arena *arena, const struct kernels *kernels) {
    const char *folder = NULL;
    for (size_t i = 0; i < kernels->count; i++) {
        const struct recordings *recorded = kernels->items[i]->recorded;
        if (recorded && folder && strcmp(folder, recorded->folder) != 0) return "captures";
        if (recorded) folder = recorded->folder;
    }
    const char *slash = folder ? strrchr(folder, '/') : NULL, *name = slash ? slash + 1 : folder;
    if (!name || !name[strspn(name, ".")]) return "capture";
    return strncmp(name, "capture", strlen("capture")) == 0 ? name : arena_format(arena, "capture-%s", name);
}

void suite_of_recordings(struct arena *arena, const struct kernels *kernels, bool peaks, struct suite *suite) {
    const struct suite_entry *own = suite->entries;
    const size_t count = suite->entry_count;
    suite->name = name_of_captures(arena, kernels);
    suite->settings.longest_dispatch_s = 3600; // the program waited for each, however long
    suite->entries = arena_alloc(arena, count + kernels->count, sizeof *suite->entries);
    suite->entry_count = 0;
    for (size_t i = 0; i < count; i++)
        if (peaks && own[i].peak) suite->entries[suite->entry_count++] = own[i];
    for (size_t i = 0; i < kernels->count; i++)
        if (kernels->items[i]->recorded)
            suite->entries[suite->entry_count++] = entry_of_recordings(arena, kernels->items[i]);
}
