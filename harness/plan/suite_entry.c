// SPDX-License-Identifier: Apache-2.0
#include "suite_entry.h"

#include "../manifest/known_names.h"

#include <string.h>

static bool read_dtypes(struct arena *arena, const struct json_at *list, struct suite_entry *out, struct error *err) {
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
        out->dtypes[dtype] = true;
    }
    return json_count(list) > 0 || json_fail(list, err, "expected at least one dtype (or leave the member out)");
}

// Reads one number or a list of them.
static bool read_values(struct arena *arena, const struct json_at *at, struct suite_values *out, struct error *err) {
    bool list = json_object_is_type(at->value, json_type_array);
    out->count = list ? json_count(at) : 1;
    if (!out->count) return json_fail(at, err, "expected at least one value");
    out->values = arena_alloc(arena, out->count, sizeof *out->values);
    for (size_t i = 0; i < out->count; i++) {
        struct json_at item = *at;
        if ((list && !json_item(at, i, &item, err)) || !json_number(&item, &out->values[i], err)) return false;
    }
    return true;
}

static bool read_dims_object(struct arena *arena, const struct json_at *at, struct suite_dims *out, struct error *err) {
    struct json_at member;
    if (!json_expect(at, json_type_object, err)) return false;
    out->where = arena_copy(arena, at->path);
    out->items = arena_alloc(arena, json_count(at), sizeof *out->items);
    json_object_object_foreach(at->value, name, ignored) {
        (void)ignored;
        struct suite_values *values = &out->items[out->count++];
        values->name = arena_copy(arena, name);
        if (!json_member(at, name, false, &member, err) || !read_values(arena, &member, values, err)) return false;
    }
    return true;
}

static bool read_dims(struct arena *arena, const struct json_at *at, struct suite_entry *out, struct error *err) {
    struct json_at item;
    bool list = json_object_is_type(at->value, json_type_array);
    out->dims_count = list ? json_count(at) : 1;
    if (!out->dims_count) return json_fail(at, err, "expected at least one object of dims");
    out->dims = arena_alloc(arena, out->dims_count, sizeof *out->dims);
    if (!list) return read_dims_object(arena, at, &out->dims[0], err);
    for (size_t i = 0; i < out->dims_count; i++)
        if (!json_item(at, i, &item, err) || !read_dims_object(arena, &item, &out->dims[i], err)) return false;
    return true;
}

static bool read_shape(struct arena *arena, const struct json_at *at, struct shape_text *out, struct error *err) {
    struct json_at member;
    if (!json_expect(at, json_type_object, err)) return false;
    if (json_count(at) > KERNEL_TUNABLES) return json_fail(at, err, "expected at most %d tunables", KERNEL_TUNABLES);
    out->where = arena_copy(arena, at->path);
    json_object_object_foreach(at->value, name, ignored) {
        (void)ignored;
        out->names[out->count] = arena_copy(arena, name);
        if (!json_member(at, name, false, &member, err) ||
            !json_integer(&member, 0, UINT32_MAX, &out->values[out->count], err))
            return false;
        out->count++;
    }
    return true;
}

static bool read_shape_list(struct arena *arena, const struct json_at *at, struct suite_entry *out, struct error *err) {
    struct json_at item;
    out->shapes = SHAPES_LISTED;
    out->explicit_count = json_count(at);
    if (!out->explicit_count) return json_fail(at, err, "expected at least one shape");
    out->explicit_shapes = arena_alloc(arena, out->explicit_count, sizeof *out->explicit_shapes);
    for (size_t i = 0; i < out->explicit_count; i++)
        if (!json_item(at, i, &item, err) || !read_shape(arena, &item, &out->explicit_shapes[i], err)) return false;
    return true;
}

static bool read_shapes(struct arena *arena, const struct json_at *at, struct suite_entry *out, struct error *err) {
    static const char *const choices[] = {
        [SHAPES_DEFAULT] = "default", [SHAPES_SYSTEMS] = "systems", [SHAPES_SOME] = "some", [SHAPES_ALL] = "all"};
    out->shapes = SHAPES_SOME;
    if (!at->value) return true;
    if (json_object_is_type(at->value, json_type_array)) return read_shape_list(arena, at, out, err);
    const char *word;
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

static bool read_only(struct arena *arena, const struct json_at *at, struct suite_entry *out, struct error *err) {
    if (!json_string(at, arena, &out->only_kind, err)) return false;
    return strcmp(out->only_kind, "cpu") == 0 || strcmp(out->only_kind, "gpu") == 0 ||
           json_fail(at, err, "expected \"cpu\" or \"gpu\", found \"%s\"", out->only_kind);
}

// The ways an entry can name its kernels; exactly one must be used.
static const struct subject {
    const char *key;
    bool list;        // several, as an array
    bool is_operator; // an operator's name, not a glob
    bool probe;       // without dtypes and shapes
} subjects[] = {
    {.key = "kernel"},
    {.key = "kernels", .list = true},
    {.key = "operator", .is_operator = true},
    {.key = "operators", .is_operator = true, .list = true},
    {.key = "probe", .probe = true},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static const struct subject *find_subject(const struct json_at *at, struct error *err) {
    const struct subject *found = NULL;
    for (int i = 0; i < SUBJECTS; i++) {
        if (!json_get(at->value, subjects[i].key)) continue;
        if (found)
            return json_fail(at, err, "expected \"%s\" or \"%s\", found both", found->key, subjects[i].key), NULL;
        found = &subjects[i];
    }
    if (!found) json_fail(at, err, "expected \"kernel\", \"kernels\", \"operator\", \"operators\" or \"probe\"");
    return found;
}

static bool append_subject(struct arena *arena, const struct json_at *name, const struct subject *subject,
    struct suite_entry entry, struct suite *out, size_t *capacity, struct error *err) {
    const char **into = subject->is_operator ? &entry.op : &entry.kernel;
    if (!json_string(name, arena, into, err)) return false;
    entry.subject = arena_copy(arena, name->path);
    out->entries = arena_grow(arena, out->entries, out->entry_count, capacity, sizeof entry);
    out->entries[out->entry_count++] = entry;
    return true;
}

static bool append_subjects(struct arena *arena, const struct json_at *at, const struct subject *subject,
    const struct suite_entry *entry, struct suite *out, size_t *capacity, struct error *err) {
    struct json_at names, name;
    if (!json_member(at, subject->key, false, &names, err)) return false;
    if (!subject->list) return append_subject(arena, &names, subject, *entry, out, capacity, err);
    if (!json_expect(&names, json_type_array, err)) return false;
    for (size_t i = 0; i < json_count(&names); i++)
        if (!json_item(&names, i, &name, err) || !append_subject(arena, &name, subject, *entry, out, capacity, err))
            return false;
    return json_count(&names) > 0 || json_fail(&names, err, "expected at least one name");
}

static bool read_choices(struct arena *arena, const struct json_at *at, struct suite_entry *out, struct error *err) {
    struct json_at member;
    if (out->probe && (json_get(at->value, "dtypes") || json_get(at->value, "shapes")))
        return json_fail(at, err, "a probe takes no \"dtypes\" and \"shapes\"");
    return json_member(at, "dtypes", true, &member, err) && (!member.value || read_dtypes(arena, &member, out, err)) &&
           json_member(at, "dims", false, &member, err) && read_dims(arena, &member, out, err) &&
           json_member(at, "shapes", true, &member, err) && read_shapes(arena, &member, out, err) &&
           json_member(at, "peak", true, &member, err) &&
           (!member.value || json_string(&member, arena, &out->peak, err)) &&
           json_member(at, "only", true, &member, err) && (!member.value || read_only(arena, &member, out, err));
}

bool suite_entry_read(
    struct arena *arena, const struct json_at *at, struct suite *out, size_t *capacity, struct error *err) {
    static const char *const keys[] = {
        "kernel", "kernels", "operator", "operators", "probe", "dtypes", "dims", "shapes", "peak", "only", NULL};
    if (!json_only(at, keys, err)) return false;
    const struct subject *subject = find_subject(at, err);
    if (!subject) return false;
    struct suite_entry entry = {.probe = subject->probe, .where = arena_copy(arena, at->path)};
    return read_choices(arena, at, &entry, err) && append_subjects(arena, at, subject, &entry, out, capacity, err);
}
