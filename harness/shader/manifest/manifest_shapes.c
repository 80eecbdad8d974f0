// SPDX-License-Identifier: Apache-2.0
// Shapes in a manifest: defaults of some devices, and shapes hard-coded in other systems.
#include "../../../reference/operator.h"
#include "known_names.h"
#include "manifest.h"
#include "shape.h"

#include <string.h>

static bool read_dim(struct kernel_reading *r, const struct json_at *at, const char *name, int *dim) {
    struct known_names names = {0};
    names_of_dims(&names, r->kernel->op);
    *dim = operator_dim_index(r->kernel->op, name);
    if (*dim >= 0) return true;
    return json_fail(
        at, r->err, "operator %s has no dim \"%s\"%s", r->kernel->op->name, name, names_hint(r->arena, &names, name));
}

// Reads values by tunable. Tunables not named have their defaults. With `dims` a value may be a dim, whose index + 1
// goes there.
static bool read_values(
    struct kernel_reading *r, const struct json_at *object, int64_t values[KERNEL_TUNABLES], int *dims) {
    struct kernel *kernel = r->kernel;
    struct shape shape = kernel_default_shape(kernel, NULL);
    struct json_at value;
    if (!json_expect(object, json_type_object, r->err)) return false;
    json_object_object_foreach(object->value, name, child) {
        int64_t number;
        int tunable = 0, dim;
        if (!json_member(object, name, false, &value, r->err)) return false;
        while (tunable < kernel->tunable_count && strcmp(kernel->tunables[tunable].name, name) != 0) tunable++;
        if (dims && tunable < kernel->tunable_count && json_object_is_type(child, json_type_string)) {
            if (!read_dim(r, &value, json_object_get_string(child), &dim)) return false;
            dims[tunable] = dim + 1;
            continue;
        }
        if (!json_integer(&value, 0, UINT32_MAX, &number, r->err)) return false;
        const char *why = shape_set(r->arena, kernel, &shape, name, number);
        if (why) return json_fail(&value, r->err, "%s", why);
    }
    memcpy(values, shape.value, sizeof shape.value);
    return true;
}

static bool read_shape(struct kernel_reading *r, const struct json_at *object, int64_t values[KERNEL_TUNABLES]) {
    return read_values(r, object, values, NULL);
}
READ_KIND(static, shape, int64_t, read_shape, .values = &kind_uint32)

static const struct field system_fields[] = {
    {"system", &kind_text, offsetof(struct system_shape, system), REQUIRED},
    {"shape", &kind_shape, offsetof(struct system_shape, value), REQUIRED},
    {0},
};
static const struct kind kind_system = {.fields = system_fields, .closed = true};

static bool read_system(struct kernel_reading *r, const struct json_at *at) {
    return kind_get(&kind_system, r->arena, at, &r->kernel->systems[r->kernel->system_count++], r->err);
}

// Reads the list under one of its two names.
static bool read_systems(struct kernel_reading *r, const struct json_at *list) {
    static const char *const keys[] = {"systems", "seeds", NULL}; // the second is the old name
    struct json_at first;
    if (r->tunables_flawed || !layers_find_any(&r->layers, keys, &first) || first.value != list->value) return true;
    for (int i = 0; i < r->layers.count; i++)
        if (layer_has(&r->layers, i, keys[0]) && layer_has(&r->layers, i, keys[1]))
            return json_fail(&r->layers.at[i], r->err, "\"seeds\" is the old name of \"systems\"; here are both");
    return read_each(r, list, KERNEL_RULES, read_system);
}
LAYER_KIND(, systems, read_systems, .name = "systems",
    .list = &(const struct item_list){.kind = &kind_system, .most = KERNEL_RULES})

static bool read_sizes(struct kernel_reading *r, const struct json_at *list, struct kernel_default *out) {
    struct json_at item;
    int count;
    if (!read_list(r, list, KERNEL_RULES, &count)) return false;
    if (!count) return json_fail(list, r->err, "expected at least one size");
    for (int i = 0; i < count; i++) {
        int64_t size;
        if (!json_item(list, (size_t)i, &item, r->err) || !json_integer(&item, 1, UINT32_MAX, &size, r->err))
            return false;
        if (!i || size < out->least_subgroup) out->least_subgroup = size;
        if (!i || size > out->most_subgroup) out->most_subgroup = size;
    }
    return true;
}
READ_KIND(static, subgroup_sizes, struct kernel_default, read_sizes,
    .list = &(const struct item_list){.kind = KIND(kind_uint32, .least = 1), .least = 1, .most = KERNEL_RULES},
    .meaning = "The device has subgroups of these sizes, and none larger.")

static bool read_case_dtypes(struct kernel_reading *r, const struct json_at *list, struct kernel_default *out) {
    struct json_at item;
    int count;
    if (!read_list(r, list, DTYPE_COUNT, &count)) return false;
    if (!count) return json_fail(list, r->err, "expected at least one dtype");
    out->by_case = true;
    memset(out->dtypes, 0, sizeof out->dtypes);
    for (int i = 0; i < count; i++) {
        enum dtype dtype;
        if (!json_item(list, (size_t)i, &item, r->err) || !kind_get(&kind_dtype, r->arena, &item, &dtype, r->err))
            return false;
        out->dtypes[dtype] = true;
    }
    return true;
}
READ_KIND(static, case_dtypes, struct kernel_default, read_case_dtypes,
    .list = &(const struct item_list){.kind = &kind_dtype, .least = 1},
    .meaning = "The case is of one of these dtypes.")

// Reads an end of a range; null leaves what is there.
static bool read_end(struct kernel_reading *r, const struct json_at *range, size_t end, int64_t *out) {
    struct json_at at;
    if (!json_item(range, end, &at, r->err)) return false;
    return !at.value || json_integer(&at, 0, INT64_MAX, out, r->err);
}

static bool read_when(struct kernel_reading *r, const struct json_at *object, struct kernel_default *out) {
    struct json_at range;
    if (!json_expect(object, json_type_object, r->err)) return false;
    out->by_case = true;
    json_object_object_foreach(object->value, name, ignored) {
        (void)ignored;
        struct dim_range item = {.most = INT64_MAX};
        int ends;
        if (out->when_count == DEFAULT_RANGES)
            return json_fail(object, r->err, "expected at most %d dims", DEFAULT_RANGES);
        if (!json_member(object, name, false, &range, r->err) || !read_dim(r, &range, name, &item.dim) ||
            !read_list(r, &range, 2, &ends))
            return false;
        if (ends != 2) return json_fail(&range, r->err, "expected [least, most], either of which may be null");
        if (!read_end(r, &range, 0, &item.least) || !read_end(r, &range, 1, &item.most)) return false;
        if (item.least > item.most) return json_fail(&range, r->err, "no dim is in this range");
        out->when[out->when_count++] = item;
    }
    return true;
}
READ_KIND(static, when, struct kernel_default, read_when, .schema = SCHEMA({
    "type" : "object",
    "additionalProperties" : {
        "type" : "array",
        "items" : {"anyOf" : [ {"type" : "integer", "minimum" : 0}, {"type" : "null"} ]},
        "minItems" : 2,
        "maxItems" : 2
    }
}),
    .meaning = "Dims of the case are in these ranges, ends included; null is no end.")

static bool read_case_shape(struct kernel_reading *r, const struct json_at *object, struct kernel_default *out) {
    return read_values(r, object, out->value, out->dim);
}
READ_KIND(static, case_shape, struct kernel_default, read_case_shape, .schema = SCHEMA({
    "type" : "object",
    "additionalProperties" :
        {"anyOf" : [ {"type" : "integer", "minimum" : 0, "maximum" : 4294967295}, {"type" : "string"} ]}
}),
    .meaning =
        "Values by tunable. The name of a dim stands for the least value that is at least this dim, or the largest.")

static const struct field default_fields[] = {
    {"subgroup_sizes", &kind_subgroup_sizes, 0, SPARSE},
    {"dtypes", &kind_case_dtypes, 0, SPARSE},
    {"when", &kind_when, 0, SPARSE},
    {"shape", &kind_case_shape, 0, REQUIRED},
    {0},
};
static const struct kind kind_default = {.fields = default_fields, .closed = true};

static bool read_default(struct kernel_reading *r, const struct json_at *at) {
    if (r->tunables_flawed) return true;
    struct kernel_default *standard = &r->kernel->defaults[r->kernel->default_count++];
    memset(standard->dtypes, true, sizeof standard->dtypes);
    return kind_get(&kind_default, r->arena, at, standard, r->err);
}

EACH_KIND(, defaults, kind_default, KERNEL_DEFAULTS, read_default, )
