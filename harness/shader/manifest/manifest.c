// SPDX-License-Identifier: Apache-2.0
#include "manifest.h"

#include "../../../reference/table.h"
#include "../../base/file.h"
#include "../../base/hash.h"
#include "../../base/kind.h"
#include "../../device/device_info.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

static bool read_operator(struct kernel_reading *r, const struct json_at *at) {
    const char *name;
    if (!json_string(at, r->arena, &name, r->err)) return false;
    r->kernel->op = operator_named(name);
    if (r->kernel->op) return true;
    struct known_names names = {0};
    for (size_t i = 0; operator_at(i); i++) names_add(&names, operator_name(operator_at(i)));
    return json_fail(at, r->err, "\"%s\" is no operator%s (one of your own comes with --operators)", name,
        names_hint(r->arena, &names, name));
}
LAYER_KIND(static, operator, read_operator, .of = &kind_text)

// Reads a name of the form OPERATOR.VARIANT. The variant has only letters, digits, '_' and '.', because '/' and ','
// separate the parts of a point's name.
static bool read_kernel_name(struct kernel_reading *r, const struct json_at *first) {
    struct json_at at, own;
    const char *name, *variant, *op = operator_name(r->kernel->op);
    struct layers base = {.count = r->layers.count - r->is_variant};
    (void)first;
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
LAYER_KIND(static, kernel_name, read_kernel_name, .meaning = "OPERATOR.VARIANT",
    .schema = SCHEMA({"type" : "string", "pattern" : "^.+\\.[A-Za-z0-9_.]+$"}))

static bool read_one_dtype(struct kernel_reading *r, const struct json_at *at) {
    enum dtype dtype;
    return kind_get(&kind_dtype, r->arena, at, &dtype, r->err) && (r->kernel->dtypes[dtype] = true);
}
static bool read_dtypes(struct kernel_reading *r, const struct json_at *list) {
    return read_each(r, list, INT_MAX, read_one_dtype) &&
           (json_count(list) > 0 || json_fail(list, r->err, "expected at least one dtype"));
}
LAYER_KIND(static, dtypes, read_dtypes, .list = &(const struct item_list){.kind = &kind_dtype, .least = 1})

static const char *arithmetic_word(int dtype) {
    const struct dtype_info *info = dtype_info((enum dtype)dtype);
    return info->arithmetic_bits ? info->name : NULL;
}
static const struct enum_words arithmetic_words = {arithmetic_word, DTYPE_CASE + 1, DTYPE_COUNT, "a type"};
static bool read_arithmetic(struct kernel_reading *r, const struct json_at *at, enum dtype *out) {
    return read_dtype_of(r, at, &arithmetic_words, "type that kernels compute in", out);
}
READ_KIND(static, arithmetic, enum dtype, read_arithmetic, .words = &arithmetic_words)

static bool read_feature(struct kernel_reading *r, const struct json_at *at) {
    int feature;
    return read_word_of(r, at, &feature_words, "feature", &feature) && (r->kernel->features[feature] = true);
}
static const struct kind kind_feature = {.words = &feature_words};
EACH_KIND(static, features, kind_feature, FEATURE_COUNT, read_feature, )

// Checks a note only; notes are for readers of the manifest.
static bool read_note(struct kernel_reading *r, const struct json_at *at) {
    const char *note;
    return json_string(at, r->arena, &note, r->err);
}
EACH_KIND(static, notes, kind_text, INT_MAX, read_note,
    .meaning = "For whoever reads the manifest; `vkassay init` writes its guesses here.")

// Variants are read by add_variants, each as a kernel of its own.
static bool read_no_variants(struct kernel_reading *r, const struct json_at *list) {
    (void)r, (void)list;
    return true;
}
static const struct field variant_fields[] = {
    {"name", &(const struct kind){.schema = SCHEMA({"type" : "string", "pattern" : "^[A-Za-z0-9_.]+$"})}, 0, REQUIRED},
    {"summary", &kind_text, 0, SPARSE},
    {"defines", &kind_defines, 0, SPARSE},
    {"constants", &kind_constants, 0, SPARSE},
    {"dtypes", &kind_dtypes, 0, SPARSE},
    {"types", &kind_types, 0, SPARSE},
    {"arithmetic", &kind_arithmetic, 0, SPARSE},
    {"features", &kind_features, 0, SPARSE},
    {"notes", &kind_notes, 0, SPARSE},
    {0},
};
static const struct kind kind_variant = {.fields = variant_fields};
LAYER_KIND(static, variants, read_no_variants,
    .list = &(const struct item_list){.kind = &kind_variant, .least = 1, .most = KERNEL_VARIANTS},
    .meaning = "One kernel each, named after this one, with members of its own before those of this one.")

// MOST_MIXES: Winograd's F(4, 3) needs some tens in theory; a larger factor would hide any mistake.
enum { MOST_MIXES = 256 };

// The members of a kernel in the order of reading: a name must be known before it is used. Those of its passes follow
// in pass_fields.
#define AT(member) offsetof(struct kernel, member)
static const struct field kernel_fields[] = {
    {"operator", &kind_operator, 0, REQUIRED},
    {"summary", &kind_text, AT(summary), REQUIRED},
    {"nondeterministic", KIND(kind_text, .meaning = "Why a second run may give other bits."), AT(nondeterministic),
        SPARSE},
    {"mixes",
        KIND(kind_real, .least = 1, .most = MOST_MIXES,
            .meaning = "Factor on the bound of an algorithm that mixes the terms of neighbouring outputs."),
        AT(mixes), SPARSE},
    {"spills", KIND(kind_text, .meaning = "Why the default shape spills registers on some device."), AT(spills),
        SPARSE},
    {"name", &kind_kernel_name, 0, REQUIRED},
    {"notes", &kind_notes, 0, SPARSE},
    {"untried",
        KIND(kind_flag, .meaning = "The kernel is a guess of `vkassay init` that no point judged. It is not run until "
                                   "its author has read the guess and removed this member."),
        AT(untried), SPARSE},
    {"dtypes", &kind_dtypes, 0, REQUIRED},
    {"arithmetic", &kind_arithmetic, AT(arithmetic), SPARSE},
    {"features", &kind_features, 0, SPARSE},
    {"tunables", &kind_tunables, 0, SPARSE},
    {"local_size", &kind_local_size, 0, NEW_NULLABLE},
    {"types", &kind_types, 0, SPARSE},
    {"in_place", &kind_in_place, 0, SPARSE},
    {"fixed", &kind_fixed, 0, SPARSE},
    {"layout", &kind_layout, 0, SPARSE},
    {"leaves", &kind_leaves, 0, SPARSE},
    {"scratch", &kind_scratch, 0, SPARSE},
    {"zeroed", &kind_zeroed, 0, SPARSE},
    {"reads_back", &kind_reads_back, 0, SPARSE},
    {"passes", &kind_passes, 0, SPARSE},
    {"shared", &kind_shared, 0, SPARSE},
    {"cooperative", &kind_cooperative, 0, SPARSE},
    {"rules", &kind_rules, 0, SPARSE},
    {"depth", &kind_depth, 0, SPARSE},
    {"defaults", &kind_defaults, 0, SPARSE},
    {"systems", &kind_systems, 0, SPARSE},
    {"seeds", &kind_systems, 0, SPARSE}, // the old name
    {"variants", &kind_variants, 0, SPARSE},
    {0},
};
#undef AT
static const struct kind kind_members = {
    .fields = kernel_fields,
    .also = pass_fields,
    .name = "members",
    .meaning = "Members of a kernel, or of what kernels start from. Where null is allowed, it drops the value of "
               "\"common\".",
    .schema = SCHEMA(
        {"required" : [],
            "not" : {"properties" : {"systems" : {}, "seeds" : {}}, "required" : [ "systems", "seeds" ]}})};

// A member that each kernel needs may be in "common" or in each kernel; one of passes in each pass, too.
#define IN_COMMON(FORM) "{\"properties\": {\"common\": " FORM "}, \"required\": [\"common\"]}"
#define IN_KERNELS(FORM) "{\"properties\": {\"kernels\": {\"items\": " FORM "}}}"
#define HAS(KEY) "{\"properties\": {\"" KEY "\": {}}, \"required\": [\"" KEY "\"]}"
#define NEEDS(KEY) "{\"anyOf\": [" IN_COMMON(HAS(KEY)) ", " IN_KERNELS(HAS(KEY)) "]}"
#define PASSES(FORM) "{\"properties\": {\"passes\": {\"items\": " FORM "}}, \"required\": [\"passes\"]}"
#define IN_PASSES(KEY) PASSES("{\"anyOf\": [" HAS(KEY) ", " PASSES(HAS(KEY)) "]}")
#define HAS_IN_PASSES(KEY) "{\"anyOf\": [" HAS(KEY) ", " IN_PASSES(KEY) "]}"
#define NEEDS_IN_PASSES(KEY) "{\"anyOf\": [" IN_COMMON(HAS_IN_PASSES(KEY)) ", " IN_KERNELS(HAS_IN_PASSES(KEY)) "]}"
static const struct field manifest_fields[] = {
    {"common", KIND(kind_members, .meaning = "Members that each kernel starts from."), 0, NEW_NULLABLE},
    {"kernels", &(const struct kind){.list = &(const struct item_list){.kind = &kind_members, .least = 1}}, 0,
        REQUIRED},
    {0},
};
const struct kind kind_manifest_file = {.fields = manifest_fields,
    .meaning =
        "Kernels: shaders and how to run them (kernels/README.md). The program knows the names of dims, operands, "
        "parameters and tunables.",
    .schema = "{\"allOf\": [" NEEDS("operator") ", " NEEDS("name") ", " NEEDS("summary") ", " NEEDS(
        "dtypes") ", " NEEDS_IN_PASSES("shader") ", " NEEDS_IN_PASSES("bindings") ", " NEEDS_IN_PASSES("grid") "]}"};

// Hashes the kernel's own members and "common". A change to another kernel of the file leaves this hash as it is.
static uint64_t hash_of(const struct layers *layers) {
    uint64_t hash = HASH_START;
    for (int i = 0; i < layers->count; i++) {
        struct json_object *code = json_object_new_object();
        json_object_object_foreach(layers->at[i].value, key, value) {
            if (strcmp(key, "defaults") == 0 || strcmp(key, "spills") == 0 || strcmp(key, "reads_back") == 0 ||
                strcmp(key, "untried") == 0)
                continue; // they change no code
            json_object_object_add(code, key, json_object_get(value));
        }
        hash = hash_string(hash, json_object_to_json_string_ext(code, JSON_C_TO_STRING_PLAIN));
        json_object_put(code);
    }
    return hash;
}

// Reads the operator first: without it nothing else of the kernel can be read.
static void read_kernel(struct kernel_reading *r) {
    struct json_at at;
    for (int i = 0; i <= r->is_variant; i++) {
        const bool variant = i < r->is_variant;
        reading_note(r, fields_only(&r->layers.at[i], variant ? variant_fields : kernel_fields,
                            variant ? NULL : pass_fields, r->err));
        if (!json_object_is_type(r->layers.at[i].value, json_type_object)) return;
    }
    r->kernel->arithmetic = DTYPE_F32;
    r->kernel->arrangement = HASH_START;
    const bool known = layers_need(&r->layers, "operator", &at, r->err) && read_operator(r, &at);
    reading_note(r, known);
    if (known) read_layers(r, &r->layers, kernel_fields + 1);
    hash_arrangement(r->kernel);
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
    for (int i = 0; i < reading.layers.count; i++) reading.layers.at[i].reading = &reading;
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
    struct json_at common, list;
    if (!fields_only(root, manifest_fields, NULL, err) || !json_member(root, "common", true, &common, err) ||
        !json_member(root, "kernels", false, &list, err) || !json_expect(&list, json_type_array, err))
        return false;
    if (common.value && !json_expect(&common, json_type_object, err)) return false;
    bool flawed = common.value && !fields_only(&common, kernel_fields, pass_fields, err);
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

// Returns whether the file is meant as a manifest: it has a member like "kernels" or "common", or is no JSON.
static bool is_meant(const char *file) {
    struct error ignored;
    struct json_object *json = json_read(file, &ignored);
    bool meant = !json;
    if (json_object_is_type(json, json_type_object)) {
        json_object_object_foreach(json, key, value) {
            (void)value;
            meant |= strncasecmp(key, "kern", 4) == 0 || strcasecmp(key, "common") == 0;
        }
    }
    json_object_put(json);
    return meant;
}

void manifest_read(struct manifests *m, const char *file, bool alone) {
    struct error err = {0};
    const char *kept = arena_copy(m->arena, file), *folder = file_folder(m->arena, file);
    struct json_object *json = kind_read(file, KIND_MANIFEST, &err);
    if (!json && !alone && !is_meant(file)) return;
    struct json_at root = json_root(json, kept);
    if (!json || !read_kernels(m, &root, folder, &err)) mistakes_add(m->arena, m->mistakes, err.text);
    if (json) json_object_put(json);
}
