// SPDX-License-Identifier: Apache-2.0
#include "manifest.h"

#include "../../reference/table.h"
#include "../base/file.h"
#include "../base/hash.h"
#include "../base/kind.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

static const char *const kernel_keys[] = {"name", "operator", "summary", "shader", "defines", "entry", "dtypes",
    "arithmetic", "features", "bindings", "push", "uniform", "parameters", "local_size", "tunables", "grid", "fold",
    "shared", "cooperative", "rules", "systems", "seeds", "scratch", "passes", "depth", "nondeterministic", NULL};

bool read_list(struct kernel_reading *r, const struct json_at *at, int room, int *count) {
    if (!json_expect(at, json_type_array, r->err)) return false;
    size_t found = json_count(at);
    if (found > (size_t)room) return json_fail(at, r->err, "expected at most %d items, found %zu", room, found);
    *count = (int)found;
    return true;
}

bool read_name(struct kernel_reading *r, const struct json_at *at, const struct known_names *names, const char *what,
    const char **out) {
    if (!json_string(at, r->arena, out, r->err)) return false;
    if (names_have(names, *out)) return true;
    return json_fail(at, r->err, "\"%s\" is no %s%s", *out, what, names_hint(r->arena, names, *out));
}

bool is_identifier(const char *name) {
    if (!isalpha((unsigned char)*name) && *name != '_') return false;
    while (isalnum((unsigned char)*name) || *name == '_') name++;
    return !*name;
}

static bool read_operator(struct kernel_reading *r) {
    struct json_at at;
    const char *name;
    if (!layers_need(&r->layers, "operator", &at, r->err) || !json_string(&at, r->arena, &name, r->err)) return false;
    r->kernel->op = operator_named(name);
    if (r->kernel->op) return true;
    struct known_names names = {0};
    for (size_t i = 0; operator_at(i); i++) names_add(&names, operator_at(i)->name);
    return json_fail(&at, r->err, "\"%s\" is no operator%s (one of your own comes with --operators)", name,
        names_hint(r->arena, &names, name));
}

// operator.variant: the variant of letters, digits, '_'
// and '.', since '/' and ',' part the names of points.
static bool read_kernel_name(struct kernel_reading *r) {
    struct json_at at;
    const char *name, *op = r->kernel->op->name;
    if (!layers_need(&r->layers, "name", &at, r->err) || !json_string(&at, r->arena, &name, r->err)) return false;
    size_t length = strlen(op);
    bool ok = strncmp(name, op, length) == 0 && name[length] == '.' && name[length + 1];
    for (const char *c = name; ok && *c; c++) ok = isalnum((unsigned char)*c) || *c == '_' || *c == '.';
    if (!ok)
        return json_fail(
            &at, r->err, "expected \"%s.VARIANT\" of letters, digits, '_' and '.', found \"%s\"", op, name);
    r->kernel->name = name;
    return true;
}

static bool read_dtypes(struct kernel_reading *r) {
    struct json_at list, item;
    struct known_names names = {0};
    int count = 0;
    names_of_dtypes(&names, NULL);
    if (!layers_need(&r->layers, "dtypes", &list, r->err) || !read_list(r, &list, INT_MAX, &count)) return false;
    for (int i = 0; i < count; i++) {
        const char *name;
        if (!json_item(&list, (size_t)i, &item, r->err) || !read_name(r, &item, &names, "dtype", &name)) return false;
        r->kernel->dtypes[dtype_named(name)] = true;
    }
    return count > 0 || json_fail(&list, r->err, "expected at least one dtype");
}

static bool read_arithmetic(struct kernel_reading *r) {
    struct json_at at;
    struct known_names names = {0};
    for (int d = DTYPE_CASE + 1; d < DTYPE_COUNT; d++)
        if (dtype_info((enum dtype)d)->arithmetic_bits) names_add(&names, dtype_info((enum dtype)d)->name);
    const char *name;
    r->kernel->arithmetic = DTYPE_F32;
    if (!layers_find(&r->layers, "arithmetic", &at)) return true;
    if (!read_name(r, &at, &names, "type that kernels compute in", &name)) return false;
    r->kernel->arithmetic = dtype_named(name);
    return true;
}

static bool read_features(struct kernel_reading *r) {
    struct json_at list, item;
    struct known_names names = {0};
    int count = 0;
    names_of_features(&names);
    if (!layers_find(&r->layers, "features", &list)) return true;
    if (!read_list(r, &list, FEATURE_COUNT, &count)) return false;
    for (int i = 0; i < count; i++) {
        const char *name;
        if (!json_item(&list, (size_t)i, &item, r->err) || !read_name(r, &item, &names, "feature", &name)) return false;
        r->kernel->features[feature_named(name)] = true;
    }
    return true;
}

bool read_identity(struct kernel_reading *r) {
    struct json_at at;
    if (!read_operator(r) || !read_kernel_name(r)) return false;
    if (!layers_need(&r->layers, "summary", &at, r->err) || !json_string(&at, r->arena, &r->kernel->summary, r->err))
        return false;
    if (layers_find(&r->layers, "nondeterministic", &at) &&
        !json_string(&at, r->arena, &r->kernel->nondeterministic, r->err))
        return false;
    return read_dtypes(r) && read_arithmetic(r) && read_features(r);
}

// Of this kernel's own members and those it starts from: another kernel in the file may change
// without touching it.
static uint64_t hash_of(const struct layers *layers) {
    uint64_t hash = HASH_START;
    for (int i = 0; i < layers->count; i++)
        hash = hash_string(hash, json_object_to_json_string_ext(layers->at[i].value, JSON_C_TO_STRING_PLAIN));
    return hash;
}

static bool read_kernel(struct kernel_reading *r) {
    static bool (*const readers[])(struct kernel_reading *) = {read_identity, read_tunables, read_scratch, read_passes,
        read_shared, read_cooperative, read_rules, read_depth, read_systems};
    if (!json_only(&r->layers.at[0], kernel_keys, r->err)) return false;
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (!readers[i](r)) return false;
    r->kernel->manifest_hash = hash_of(&r->layers);
    return true;
}

static bool read_kernels(struct arena *arena, const struct json_at *root, const char *folder, struct kernel ***items,
    size_t *count, size_t *capacity, struct error *err) {
    static const char *const keys[] = {"common", "kernels", NULL};
    struct json_at common, list;
    if (!json_only(root, keys, err) || !json_member(root, "common", true, &common, err) ||
        !json_member(root, "kernels", false, &list, err) || !json_expect(&list, json_type_array, err))
        return false;
    if (common.value && !json_only(&common, kernel_keys, err)) return false;
    for (size_t i = 0; i < json_count(&list); i++) {
        struct kernel *kernel = arena_alloc(arena, 1, sizeof *kernel);
        *items = arena_grow(arena, *items, *count, capacity, sizeof **items);
        kernel->file = root->file;
        kernel->folder = folder;
        struct kernel_reading reading = {
            .arena = arena, .kernel = kernel, .err = err, .layers.count = common.value ? 2 : 1};
        if (!json_item(&list, i, &reading.layers.at[0], err)) return false;
        reading.layers.at[1] = common;
        if (!read_kernel(&reading)) return false;
        (*items)[(*count)++] = kernel;
    }
    return json_count(&list) > 0 || json_fail(&list, err, "expected at least one kernel");
}

bool manifest_read(
    struct arena *arena, const char *file, struct kernel ***items, size_t *count, size_t *capacity, struct error *err) {
    const char *kept = arena_copy(arena, file), *folder = file_folder(arena, file);
    struct json_object *json = kind_read(file, KIND_MANIFEST, err);
    if (!json) return false;
    struct json_at root = json_root(json, kept);
    bool ok = read_kernels(arena, &root, folder, items, count, capacity, err);
    json_object_put(json);
    return ok;
}
