// SPDX-License-Identifier: Apache-2.0
#include "manifest.h"

#include "../../reference/table.h"
#include "../base/fields.h"
#include "../base/file.h"
#include "../base/hash.h"
#include "../base/kind.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

static const char *const kernel_keys[] = {"name", "operator", "summary", "shader", "defines", "includes", "constants",
    "entry", "dtypes", "arithmetic", "features", "bindings", "push", "uniform", "parameters", "local_size", "tune",
    "tunables", "grid", "fold", "shared", "cooperative", "types", "in_place", "fixed", "layout", "zeroed", "reads_back",
    "rules", "leaves", "defaults", "systems", "seeds", "scratch", "passes", "depth", "nondeterministic", "mixes",
    "spills", "notes", "variants", NULL};
static const char *const variant_keys[] = {
    "name", "summary", "defines", "constants", "dtypes", "types", "arithmetic", "features", "notes", NULL};

void reading_note(struct kernel_reading *r, bool ok) {
    if (ok) return;
    mistakes_add(r->arena, r->mistakes, r->err->text);
    r->flawed = true;
}

bool read_list(struct kernel_reading *r, const struct json_at *at, int room, int *count) {
    if (!json_expect(at, json_type_array, r->err)) return false;
    size_t found = json_count(at);
    if (found > (size_t)room) return json_fail(at, r->err, "expected at most %d items, found %zu", room, found);
    *count = (int)found;
    return true;
}

bool read_each(struct kernel_reading *r, const struct json_at *list, int room,
    bool (*read)(struct kernel_reading *r, const struct json_at *item)) {
    struct json_at item;
    int count = 0;
    if (!read_list(r, list, room, &count)) return false;
    for (int i = 0; i < count; i++) reading_note(r, json_item(list, (size_t)i, &item, r->err) && read(r, &item));
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
    for (size_t i = 0; operator_at(i); i++) names_add(&names, operator_name(operator_at(i)));
    return json_fail(&at, r->err, "\"%s\" is no operator%s (one of your own comes with --operators)", name,
        names_hint(r->arena, &names, name));
}

// Reads a name of the form OPERATOR.VARIANT. The variant has only letters, digits, '_' and '.', because '/' and ','
// separate the parts of a point's name.
static bool read_kernel_name(struct kernel_reading *r) {
    struct json_at at, own;
    const char *name, *variant, *op = operator_name(r->kernel->op);
    struct layers base = {.count = r->layers.count - r->is_variant};
    memcpy(base.at, &r->layers.at[r->is_variant], (size_t)base.count * sizeof base.at[0]);
    if (!layers_need(&base, "name", &at, r->err) || !json_string(&at, r->arena, &name, r->err)) return false;
    if (r->is_variant) {
        if (!json_member(&r->layers.at[0], "name", false, &own, r->err) ||
            !json_string(&own, r->arena, &variant, r->err))
            return false;
        name = arena_format(r->arena, "%s_%s", name, variant);
        at = own;
    }
    size_t length = strlen(op);
    bool ok = strncmp(name, op, length) == 0 && name[length] == '.' && name[length + 1];
    for (const char *c = name; ok && *c; c++) ok = isalnum((unsigned char)*c) || *c == '_' || *c == '.';
    if (!ok)
        return json_fail(
            &at, r->err, "expected \"%s.VARIANT\" of letters, digits, '_' and '.', found \"%s\"", op, name);
    r->kernel->name = name;
    return true;
}

static bool read_dtype(struct kernel_reading *r, const struct json_at *at) {
    struct known_names names = {0};
    const char *name;
    names_of_dtypes(&names, NULL);
    if (!read_name(r, at, &names, "dtype", &name)) return false;
    r->kernel->dtypes[dtype_named(name)] = true;
    return true;
}

static bool read_dtypes(struct kernel_reading *r) {
    struct json_at list;
    return layers_need(&r->layers, "dtypes", &list, r->err) && read_each(r, &list, INT_MAX, read_dtype) &&
           (json_count(&list) > 0 || json_fail(&list, r->err, "expected at least one dtype"));
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

static bool read_feature(struct kernel_reading *r, const struct json_at *at) {
    struct known_names names = {0};
    const char *name;
    names_of_features(&names);
    if (!read_name(r, at, &names, "feature", &name)) return false;
    r->kernel->features[feature_named(name)] = true;
    return true;
}

static bool read_features(struct kernel_reading *r) {
    struct json_at list;
    return !layers_find(&r->layers, "features", &list) || read_each(r, &list, FEATURE_COUNT, read_feature);
}

// MOST_MIXES: Winograd's F(4, 3) needs some tens in theory; a larger factor would hide any mistake.
enum { MOST_MIXES = 256 };

#define AT(member) offsetof(struct kernel, member)
static const struct field plain_fields[] = {
    {"summary", &kind_text, AT(summary), REQUIRED},
    {"nondeterministic", &kind_text, AT(nondeterministic), SPARSE},
    {"mixes", KIND(kind_real, .least = 1, .most = MOST_MIXES), AT(mixes), SPARSE},
    {"spills", &kind_text, AT(spills), SPARSE},
    {0},
};

static bool read_plain(struct kernel_reading *r, const struct field *field) {
    struct json_at at;
    if (!layers_find(&r->layers, field->key, &at))
        return field->presence != REQUIRED || layers_need(&r->layers, field->key, &at, r->err);
    return kind_get(field->kind, r->arena, &at, (char *)r->kernel + field->offset, r->err);
}

// Checks a note only; notes are for readers of the manifest.
static bool read_note(struct kernel_reading *r, const struct json_at *at) {
    const char *note;
    return json_string(at, r->arena, &note, r->err);
}

static bool read_notes(struct kernel_reading *r) {
    struct json_at list;
    return !layers_find(&r->layers, "notes", &list) || read_each(r, &list, INT_MAX, read_note);
}

// Reads the operator first: without it nothing else of the kernel can be read.
bool read_identity(struct kernel_reading *r) {
    static bool (*const readers[])(struct kernel_reading *) = {
        read_kernel_name, read_notes, read_dtypes, read_arithmetic, read_features};
    if (!read_operator(r)) return false;
    for (const struct field *field = plain_fields; field->key; field++) reading_note(r, read_plain(r, field));
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) reading_note(r, readers[i](r));
    return true;
}

// Hashes the kernel's own members and "common". A change to another kernel of the file leaves this hash as it is.
static uint64_t hash_of(const struct layers *layers) {
    uint64_t hash = HASH_START;
    for (int i = 0; i < layers->count; i++) {
        struct json_object *code = json_object_new_object();
        json_object_object_foreach(layers->at[i].value, key, value) {
            if (strcmp(key, "defaults") == 0 || strcmp(key, "spills") == 0 || strcmp(key, "reads_back") == 0)
                continue; // they change no code
            json_object_object_add(code, key, json_object_get(value));
        }
        hash = hash_string(hash, json_object_to_json_string_ext(code, JSON_C_TO_STRING_PLAIN));
        json_object_put(code);
    }
    return hash;
}

static void read_kernel(struct kernel_reading *r) {
    static bool (*const readers[])(struct kernel_reading *) = {read_tunables, read_operands, read_scratch, read_zeroed,
        read_reads_back, read_passes, read_shared, read_cooperative, read_rules, read_depth, read_defaults,
        read_systems};
    for (int i = 0; i <= r->is_variant; i++) {
        reading_note(r, json_only(&r->layers.at[i], i < r->is_variant ? variant_keys : kernel_keys, r->err));
        if (!json_object_is_type(r->layers.at[i].value, json_type_object)) return;
    }
    bool known = read_identity(r);
    reading_note(r, known);
    for (size_t i = 0; known && i < sizeof readers / sizeof *readers; i++) reading_note(r, readers[i](r));
    r->kernel->manifest_hash = hash_of(&r->layers);
}

static void add_kernel(struct manifests *m, struct kernel_reading *r) {
    read_kernel(r);
    if (r->flawed) {
        if (r->kernel->name) mistakes_add_kernel(m->arena, m->mistakes, r->kernel->name);
        return;
    }
    m->items = arena_grow(m->arena, m->items, m->count, &m->capacity, sizeof *m->items);
    m->items[m->count++] = r->kernel;
}

static void add_kernel_of(struct manifests *m, const struct layers *layers, bool is_variant, const char *folder,
    bool flawed, struct error *err) {
    struct kernel *kernel = arena_alloc(m->arena, 1, sizeof *kernel);
    kernel->file = layers->at[0].file;
    kernel->folder = folder;
    struct kernel_reading reading = {.arena = m->arena,
        .kernel = kernel,
        .layers = *layers,
        .is_variant = is_variant,
        .err = err,
        .mistakes = m->mistakes,
        .flawed = flawed};
    add_kernel(m, &reading);
}

// Adds the kernel, or one kernel for each of its variants, with the members of the variant before its own.
static void add_variants(
    struct manifests *m, const struct layers *kernel, const char *folder, bool flawed, struct error *err) {
    struct layers layers = {.count = kernel->count + 1};
    struct json_at list;
    memcpy(&layers.at[1], kernel->at, (size_t)kernel->count * sizeof kernel->at[0]);
    if (!layer_has(kernel, 0, "variants")) {
        add_kernel_of(m, kernel, false, folder, flawed, err);
        return;
    }
    bool ok = json_member(&kernel->at[0], "variants", false, &list, err) && json_expect(&list, json_type_array, err) &&
              (json_count(&list) || json_fail(&list, err, "expected at least one variant"));
    if (ok && json_count(&list) > KERNEL_VARIANTS)
        ok = json_fail(&list, err, "expected at most %d variants", KERNEL_VARIANTS);
    for (size_t i = 0; ok && i < json_count(&list); i++) {
        ok = json_item(&list, i, &layers.at[0], err);
        if (ok) add_kernel_of(m, &layers, true, folder, flawed, err);
    }
    if (!ok) mistakes_add(m->arena, m->mistakes, err->text);
}

static bool read_kernels(struct manifests *m, const struct json_at *root, const char *folder, struct error *err) {
    static const char *const keys[] = {"common", "kernels", NULL};
    struct json_at common, list;
    if (!json_only(root, keys, err) || !json_member(root, "common", true, &common, err) ||
        !json_member(root, "kernels", false, &list, err) || !json_expect(&list, json_type_array, err))
        return false;
    if (common.value && !json_expect(&common, json_type_object, err)) return false;
    bool flawed = common.value && !json_only(&common, kernel_keys, err);
    if (flawed) mistakes_add(m->arena, m->mistakes, err->text);
    for (size_t i = 0; i < json_count(&list); i++) {
        struct layers layers = {.at = {[1] = common}, .count = common.value ? 2 : 1};
        if (!json_item(&list, i, &layers.at[0], err)) return false;
        add_variants(m, &layers, folder, flawed, err);
    }
    return json_count(&list) > 0 || json_fail(&list, err, "expected at least one kernel");
}

void manifest_read_json(struct manifests *m, struct json_object *json, const char *file) {
    struct error err = {0};
    const struct json_at root = json_root(json, arena_copy(m->arena, file));
    if (!json_expect(&root, json_type_object, &err) || !read_kernels(m, &root, file_folder(m->arena, file), &err))
        mistakes_add(m->arena, m->mistakes, err.text);
}

void manifest_read(struct manifests *m, const char *file) {
    struct error err = {0};
    const char *kept = arena_copy(m->arena, file), *folder = file_folder(m->arena, file);
    struct json_object *json = kind_read(file, KIND_MANIFEST, &err);
    struct json_at root = json_root(json, kept);
    if (!json || !read_kernels(m, &root, folder, &err)) mistakes_add(m->arena, m->mistakes, err.text);
    if (json) json_object_put(json);
}
