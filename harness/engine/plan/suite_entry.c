// SPDX-License-Identifier: Apache-2.0
#include "suite_entry.h"

#include "../../shader/manifest/known_names.h"

#include <string.h>

// ---- dims

static bool number_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    (void)arena;
    return json_number(at, member, err);
}
static const struct kind kind_number = {.get = number_get, .schema = SCHEMA({"type" : "number"})};

static const struct kind kind_dims = {
    .list = &(const struct item_list){LIST_OF(struct suite_dims, items, count,
                                          LIST_OR_ONE(struct suite_values, values, count, &kind_number)),
        .in_arena = true, .named = true},
    .where = offsetof(struct suite_dims, where),
    .name = "dims",
    .meaning = "Values by the name of a dim or parameter; lists are crossed."};

// ---- dtypes

static const char *dtype_word(int dtype) {
    return dtype_info((enum dtype)dtype)->name;
}
static const struct enum_words dtype_words = {dtype_word, DTYPE_F32, DTYPE_COUNT, "a dtype"};

static bool dtypes_get(struct arena *arena, const struct json_at *list, void *member, struct error *err) {
    bool *dtypes = member;
    struct json_at item;
    struct known_names names = {0};
    names_of_dtypes(&names, NULL);
    if (!json_expect(list, json_type_array, err)) return false;
    for (size_t i = 0; i < json_count(list); i++) {
        const char *name;
        if (!json_item(list, i, &item, err) || !json_string(&item, arena, &name, err)) return false;
        enum dtype dtype = dtype_named(name);
        if (dtype == DTYPE_CASE)
            return json_fail(&item, err, "\"%s\" is no dtype%s", name, names_hint(arena, &names, name));
        dtypes[dtype] = true;
    }
    return json_count(list) > 0 || json_fail(list, err, "expected at least one dtype (or leave the member out)");
}
static const struct kind kind_dtypes = {.get = dtypes_get, .set = &dtype_words, .schema = SCHEMA({"minItems" : 1})};

// ---- shapes

static bool tunable_get(struct arena *arena, const struct json_at *at, void *item, struct error *err) {
    (void)arena;
    return json_integer(at, 0, UINT32_MAX, &((struct tunable_text *)item)->value, err);
}
static const struct kind kind_tunable = {.get = tunable_get, .schema = SCHEMA({"type" : "integer", "minimum" : 0})};

static const struct kind kind_shape = {
    .list = &(const struct item_list){LIST_OF(struct shape_text, items, count, &kind_tunable), .most = KERNEL_TUNABLES,
        .named = true},
    .where = offsetof(struct shape_text, where),
    .meaning = "Values by the name of a tunable; the others have their defaults."};
static const struct kind *const shape_list =
    ARENA_LIST(struct suite_entry, explicit_shapes, explicit_count, &kind_shape, 1);

static bool shapes_get(struct arena *arena, const struct json_at *at, void *whole, struct error *err) {
    static const char *const choices[] = {
        [SHAPES_DEFAULT] = "default", [SHAPES_SYSTEMS] = "systems", [SHAPES_SOME] = "some", [SHAPES_ALL] = "all"};
    struct suite_entry *out = whole;
    const char *word;
    out->shapes = SHAPES_LISTED;
    if (json_object_is_type(at->value, json_type_array)) return kind_get(shape_list, arena, at, out, err);
    if (!json_string(at, arena, &word, err)) return false;
    if (strcmp(word, "seeds") == 0) word = choices[SHAPES_SYSTEMS]; // the old name
    for (int i = SHAPES_DEFAULT; i <= SHAPES_ALL; i++) {
        if (strcmp(word, choices[i]) != 0) continue;
        out->shapes = (enum shape_choice)i;
        return true;
    }
    return json_fail(
        at, err, "expected \"default\", \"systems\", \"some\", \"all\" or a list of shapes, found \"%s\"", word);
}
static void shapes_absent(void *whole) {
    ((struct suite_entry *)whole)->shapes = SHAPES_SOME;
}
static const struct kind kind_shapes = {
    .get = shapes_get, .absent = shapes_absent, .meaning = "Absent: some.", .schema = SCHEMA({
        "oneOf" : [
            {"enum" : [ "default", "systems", "seeds", "some", "all" ]}, {
                "type" : "array",
                "items" : {"type" : "object", "additionalProperties" : {"type" : "integer", "minimum" : 0}},
                "minItems" : 1
            }
        ]
    })};

// ---- an entry

static const char *only_word(int value) {
    static const char *const words[] = {"cpu", "gpu", "own"};
    return words[value];
}
static const struct enum_words only_words = {only_word, 0, 3, "\"cpu\", \"gpu\" or \"own\""};

// The ways an entry can name its kernels, in the order of the first rows of entry_fields; exactly one must be used.
static const struct subject {
    bool is_operator; // an operator's name, not a glob
    bool probe;       // without dtypes and shapes
} subjects[SUITE_SUBJECTS] = {{0}, {0}, {.is_operator = true}, {.is_operator = true}, {.probe = true}};

static const struct kind kind_subject = {.of = &kind_text, .where = offsetof(struct suite_subject, where)};
#define SUBJECT(INDEX, MEANING)                                                                                        \
    &(const struct kind) {                                                                                             \
        .list = &(const struct item_list){LIST_OF(struct entry_text, subjects[INDEX].items, subjects[INDEX].count,     \
                                              &kind_subject),                                                          \
            .least = 1, .in_arena = true, .alone = true},                                                              \
        .meaning = MEANING                                                                                             \
    }
#define AT(member) offsetof(struct entry_text, entry.member)
static const struct field entry_fields[] = {
    {"kernel", SUBJECT(0, "Glob over kernel names."), 0, SPARSE},
    {"kernels", SUBJECT(1, "Several globs: an entry for each."), 0, SPARSE},
    {"operator", SUBJECT(2, "An operator: all its kernels."), 0, SPARSE},
    {"operators", SUBJECT(3, "Several operators: an entry for each."), 0, SPARSE},
    {"probe", SUBJECT(4, "Glob over the names of probes, instead of kernels."), 0, SPARSE},
    {"dtypes", &kind_dtypes, AT(dtypes), SPARSE},
    {"dims", LIST_OR_ONE(struct entry_text, entry.dims, entry.dims_count, &kind_dims), 0, REQUIRED},
    {"shapes", &kind_shapes, AT(shapes) - offsetof(struct suite_entry, shapes), SPARSE},
    {"peak",
        KIND(kind_text, .meaning = "The best of these points is this peak.",
            .schema = SCHEMA({"pattern" : "(_bytes_per_s|_flops_per_s|_ops_per_s|_ns)$"})),
        AT(peak), SPARSE},
    {"only",
        KIND(kind_text, .words = &only_words,
            .meaning = "Only for this kind of device; own: only for kernels of the user (--kernels, --only)."),
        AT(only_kind), SPARSE},
    {0},
};
static const struct kind entry_form = {.fields = entry_fields, .closed = true};

static bool entry_get(struct arena *arena, const struct json_at *at, void *item, struct error *err) {
    struct entry_text *out = item;
    const char *first = NULL;
    if (!kind_get(&entry_form, arena, at, out, err)) return false;
    for (int i = 0; i < SUITE_SUBJECTS; i++) {
        const char *key = entry_fields[i].key;
        if (!out->subjects[i].count) continue;
        if (first) return json_fail(at, err, "expected \"%s\" or \"%s\", found both", first, key);
        first = key;
        out->subject = i;
    }
    if (!first) return json_fail(at, err, "expected \"kernel\", \"kernels\", \"operator\", \"operators\" or \"probe\"");
    out->entry.probe = subjects[out->subject].probe;
    return !out->entry.probe || (!json_get(at->value, "dtypes") && !json_get(at->value, "shapes")) ||
           json_fail(at, err, "a probe takes no \"dtypes\" and \"shapes\"");
}
const struct kind kind_entry_text = {
    .get = entry_get, .where = offsetof(struct entry_text, entry.where), .fields = entry_fields, .schema = SCHEMA({
        "oneOf" : [
            {"properties" : {"kernel" : true}, "required" : ["kernel"]},
            {"properties" : {"kernels" : true}, "required" : ["kernels"]},
            {"properties" : {"operator" : true}, "required" : ["operator"]},
            {"properties" : {"operators" : true}, "required" : ["operators"]},
            {"properties" : {"probe" : true, "dtypes" : false, "shapes" : false}, "required" : ["probe"]}
        ]
    })};

void suite_entries_add(struct arena *arena, const struct entry_text *text, struct suite *out, size_t *capacity) {
    for (size_t i = 0; i < text->subjects[text->subject].count; i++) {
        const struct suite_subject *named = &text->subjects[text->subject].items[i];
        struct suite_entry entry = text->entry;
        *(subjects[text->subject].is_operator ? &entry.op : &entry.kernel) = named->name;
        entry.subject = named->where;
        out->entries = arena_grow(arena, out->entries, out->entry_count, capacity, sizeof entry);
        out->entries[out->entry_count++] = entry;
    }
}
