// SPDX-License-Identifier: Apache-2.0
// Shapes in a manifest: defaults of some devices, and shapes hard-coded in other systems.
#include "manifest.h"
#include "shape.h"

#include <string.h>

// Reads a shape. Tunables not named have their defaults.
static bool read_shape(struct kernel_reading *r, const struct json_at *object, int64_t values[KERNEL_TUNABLES]) {
    struct shape shape = kernel_default_shape(r->kernel, NULL);
    struct json_at value;
    if (!json_expect(object, json_type_object, r->err)) return false;
    json_object_object_foreach(object->value, name, ignored) {
        (void)ignored;
        int64_t number;
        if (!json_member(object, name, false, &value, r->err) || !json_integer(&value, 0, UINT32_MAX, &number, r->err))
            return false;
        const char *why = shape_set(r->arena, r->kernel, &shape, name, number);
        if (why) return json_fail(&value, r->err, "%s", why);
    }
    memcpy(values, shape.value, sizeof shape.value);
    return true;
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

static bool read_sizes(struct kernel_reading *r, const struct json_at *list, struct device_default *out) {
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
READ_KIND(static, subgroup_sizes, struct device_default, read_sizes,
    .list = &(const struct item_list){.kind = KIND(kind_uint32, .least = 1), .least = 1, .most = KERNEL_RULES},
    .meaning = "The device has subgroups of these sizes, and none larger.")

static const struct field default_fields[] = {
    {"subgroup_sizes", &kind_subgroup_sizes, 0, REQUIRED},
    {"shape", &kind_shape, offsetof(struct device_default, value), REQUIRED},
    {0},
};
static const struct kind kind_default = {.fields = default_fields, .closed = true};

static bool read_default(struct kernel_reading *r, const struct json_at *at) {
    if (r->tunables_flawed) return true;
    return kind_get(&kind_default, r->arena, at, &r->kernel->defaults[r->kernel->default_count++], r->err);
}

EACH_KIND(, defaults, kind_default, KERNEL_RULES, read_default, )
