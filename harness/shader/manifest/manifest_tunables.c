// SPDX-License-Identifier: Apache-2.0
// Tunables, and the size written in a shader.
#include "manifest.h"
#include "../../../reference/table.h"

#include <string.h>

// A limit on the shapes of a kernel, because they are tried one by one.
enum { SHAPES_AT_MOST = 100000 };

enum { FIRST_FREE_ID = 3 }; // constants 0, 1 and 2 are the workgroup's size

static int workgroup_axis(const char *name) {
    for (int axis = 0; axis < 3; axis++)
        if (strcmp(name, workgroup_names[axis]) == 0) return axis;
    return -1;
}

static bool is_subgroup(const struct tunable *tunable) {
    return strcmp(tunable->name, "SUBGROUP") == 0;
}

// Reads the id; null is that of a #define, as -1.
static bool read_id(struct kernel_reading *r, const struct json_at *at, struct tunable *out) {
    const int axis = workgroup_axis(out->name);
    int64_t id;
    if (!json_integer(at, -1, INT32_MAX, &id, r->err)) return false;
    if (axis >= 0 && id != axis && id != -1)
        return json_fail(at, r->err, "%s is constant %d, or a #define (-1)", out->name, axis);
    if (axis < 0 && id >= 0 && id < FIRST_FREE_ID)
        return json_fail(at, r->err, "expected -1 (a #define) or an id from 3 on; 0 to 2 are the workgroup's size");
    out->id = (int)id;
    return true;
}
READ_KIND(static, id, struct tunable, read_id,
    .meaning = "A specialization constant from 3 on; -1 or null: a #define. Left out: the constant that the shader "
               "declares by the tunable's name.",
    .schema = SCHEMA({"type" : "integer", "minimum" : -1, "maximum" : 2147483647}))

static int64_t least_value(const struct tunable *tunable) {
    return workgroup_axis(tunable->name) >= 0;
}

static bool read_values(struct kernel_reading *r, const struct json_at *list, struct tunable *out) {
    struct json_at item;
    if (!read_list(r, list, KERNEL_VALUES, &out->value_count)) return false;
    if (!out->value_count) return json_fail(list, r->err, "expected at least one value");
    for (int i = 0; i < out->value_count; i++) {
        int64_t *value = &out->values[i];
        if (!json_item(list, (size_t)i, &item, r->err) ||
            !json_integer(&item, least_value(out), UINT32_MAX, value, r->err))
            return false;
        if (is_subgroup(out) && (*value & (*value - 1)) != 0)
            return json_fail(&item, r->err, "expected 0 or a power of two, found %lld", (long long)*value);
        for (int j = 0; j < i; j++)
            if (out->values[j] == *value) return json_fail(&item, r->err, "%lld is listed twice", (long long)*value);
    }
    return true;
}
READ_KIND(static, values, struct tunable, read_values,
    .list = &(const struct item_list){.kind = &kind_uint32, .least = 1, .most = KERNEL_VALUES},
    .schema = SCHEMA({"uniqueItems" : true}))

static bool read_standard(struct kernel_reading *r, const struct json_at *at, struct tunable *out) {
    if (!json_integer(at, least_value(out), UINT32_MAX, &out->standard, r->err)) return false;
    for (int i = 0; i < out->value_count; i++)
        if (out->values[i] == out->standard) return true;
    return json_fail(at, r->err, "the default %lld is not among the values", (long long)out->standard);
}
READ_KIND(static, standard, struct tunable, read_standard, .of = &kind_uint32)

static const struct field tunable_fields[] = {
    {"id", &kind_id, 0, NEW_NULLABLE},
    {"values", &kind_values, 0, REQUIRED},
    {"default", &kind_standard, 0, REQUIRED},
    {0},
};
static const struct kind kind_tunable = {.fields = tunable_fields, .closed = true};

static bool read_tunable(struct kernel_reading *r, const struct member *member, struct tunable *out) {
    const struct json_at *at = &member->at;
    struct known_names taken = {0};
    names_of_dims(&taken, r->kernel->op);
    names_of_params(&taken, r->kernel->op);
    if (!is_identifier(member->name))
        return json_fail(at, r->err, "expected the tunable's name to be an identifier, found \"%s\"", member->name);
    if (names_have(&taken, member->name))
        return json_fail(at, r->err, "\"%s\" is a dim or parameter of %s; a tunable needs another name", member->name,
            operator_name(r->kernel->op));
    const bool is_named = !json_object_object_get_ex(at->value, "id", NULL) && !is_subgroup(out);
    out->id = workgroup_axis(out->name);
    if (out->id < 0 && is_named) out->id = TUNABLE_NAMED;
    return kind_get(&kind_tunable, r->arena, at, out, r->err);
}

// Sizes tried beside the shader's own, if "tune" is set and the manifest lists none.
static const int64_t usual_line[] = {32, 64, 128, 256, 512, 1024}, usual_side[] = {4, 8, 16, 32};

static void add_size(struct tunable *tunable, int64_t size) {
    int at = tunable->value_count;
    for (int i = 0; i < tunable->value_count; i++)
        if (tunable->values[i] == size) return;
    for (; at > 0 && tunable->values[at - 1] > size; at--) tunable->values[at] = tunable->values[at - 1];
    tunable->values[at] = size;
    tunable->value_count++;
}

static bool read_axis(struct kernel_reading *r, const struct json_at *item, int axis, int axes, bool tuned) {
    struct kernel *k = r->kernel;
    struct tunable *there = NULL;
    int64_t size;
    for (int i = 0; !there && i < k->tunable_count; i++)
        if (workgroup_axis(k->tunables[i].name) == axis) there = &k->tunables[i];
    if (!json_integer(item, 1, UINT32_MAX, &size, r->err)) return false;
    if (there && !tuned) return json_fail(item, r->err, "%s is among the tunables too", workgroup_names[axis]);
    if (there && there->standard != size)
        return json_fail(item, r->err, "the shader is written for %lld; the default of %s is %lld", (long long)size,
            workgroup_names[axis], (long long)there->standard);
    if (there) return true;
    if (k->tunable_count == KERNEL_TUNABLES)
        return json_fail(item, r->err, "expected at most %d tunables", KERNEL_TUNABLES);
    there = &k->tunables[k->tunable_count++];
    *there = (struct tunable){.name = workgroup_names[axis], .id = axis, .standard = size};
    add_size(there, size);
    for (size_t i = 0; tuned && axes == 1 && i < sizeof usual_line / sizeof *usual_line; i++)
        add_size(there, usual_line[i]);
    for (size_t i = 0; tuned && axes > 1 && size > 1 && i < sizeof usual_side / sizeof *usual_side; i++)
        add_size(there, usual_side[i]);
    return true;
}

// Reads the size written in the shader. Each axis becomes a tunable of one value, or of several with "tune".
static bool read_local_size(struct kernel_reading *r, const struct json_at *list) {
    struct json_at item, tune = {0};
    int axes;
    if (!list->value) return true;
    const bool tuned = layers_find(&r->layers, "tune", &tune) && json_object_get_boolean(tune.value);
    const bool flawed = r->tunables_flawed;
    r->tunables_flawed = true; // until it is read
    if (!read_list(r, list, 3, &axes)) return false;
    if (!axes) return json_fail(list, r->err, "expected one to three sizes");
    for (int axis = 0; axis < axes; axis++)
        if (!json_item(list, (size_t)axis, &item, r->err) || !read_axis(r, &item, axis, axes, tuned)) return false;
    r->tunables_flawed = flawed;
    return true;
}
LAYER_KIND(, local_size, read_local_size,
    .list = &(const struct item_list){.kind = KIND(kind_uint32, .least = 1), .least = 1, .most = 3},
    .meaning = "The one workgroup size that the shader is written for.")

static bool check_id(struct kernel_reading *r, const struct json_at *at, int index) {
    const struct tunable *tunables = r->kernel->tunables;
    for (int i = 0; i < index; i++)
        if (tunables[index].id >= 0 && tunables[index].id == tunables[i].id)
            return json_fail(at, r->err, "the id %d is that of %s too", tunables[index].id, tunables[i].name);
    return true;
}

// Makes all names known first, even of faulty tunables, so later uses of a name are not reported again.
static bool read_all_tunables(struct kernel_reading *r, const struct json_at *at) {
    struct kernel *k = r->kernel;
    struct member members[KERNEL_TUNABLES];
    int64_t shapes = 1;
    bool flawed = false;
    int count = 0;
    (void)at;
    r->tunables_flawed = true; // until all are read
    if (!layers_merge(&r->layers, "tunables", members, KERNEL_TUNABLES, &count, r->err)) return false;
    for (; k->tunable_count < count; k->tunable_count++)
        k->tunables[k->tunable_count].name = arena_copy(r->arena, members[k->tunable_count].name);
    for (int i = 0; i < count; i++) {
        bool ok = read_tunable(r, &members[i], &k->tunables[i]) && check_id(r, &members[i].at, i);
        reading_note(r, ok);
        flawed |= !ok;
        if (ok) shapes *= k->tunables[i].value_count;
        if (shapes > SHAPES_AT_MOST)
            return json_fail(&members[i].at, r->err,
                "expected at most %d shapes; the tunables up to this one give %lld", SHAPES_AT_MOST, (long long)shapes);
    }
    r->tunables_flawed = flawed;
    return true;
}

LAYER_KIND(, tunables, read_all_tunables,
    .list = &(const struct item_list){.kind = &kind_tunable, .most = KERNEL_TUNABLES, .named = true},
    .schema = SCHEMA({"propertyNames" : {"pattern" : "^[A-Za-z_][A-Za-z0-9_]*$"}}))
