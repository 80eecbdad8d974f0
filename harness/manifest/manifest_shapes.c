// SPDX-License-Identifier: Apache-2.0
// Shapes in a manifest: defaults of some devices, and shapes hard-coded in other systems.
#include "manifest.h"
#include "shape.h"

#include <string.h>

// Reads "shape". Tunables not named have their defaults.
static bool read_shape(struct kernel_reading *r, const struct json_at *at, int64_t values[KERNEL_TUNABLES]) {
    struct shape shape = kernel_default_shape(r->kernel, NULL);
    struct json_at object, value;
    if (!json_member(at, "shape", false, &object, r->err) || !json_expect(&object, json_type_object, r->err))
        return false;
    json_object_object_foreach(object.value, name, ignored) {
        (void)ignored;
        int64_t number;
        if (!json_member(&object, name, false, &value, r->err) || !json_integer(&value, 0, UINT32_MAX, &number, r->err))
            return false;
        const char *why = shape_set(r->arena, r->kernel, &shape, name, number);
        if (why) return json_fail(&value, r->err, "%s", why);
    }
    memcpy(values, shape.value, sizeof shape.value);
    return true;
}

static bool read_system(struct kernel_reading *r, const struct json_at *at) {
    static const char *const keys[] = {"system", "shape", NULL};
    struct system_shape *out = &r->kernel->systems[r->kernel->system_count++];
    struct json_at system;
    return json_only(at, keys, r->err) && json_member(at, "system", false, &system, r->err) &&
           json_string(&system, r->arena, &out->system, r->err) && read_shape(r, at, out->value);
}

bool read_systems(struct kernel_reading *r) {
    static const char *const keys[] = {"systems", "seeds", NULL}; // the second is the old name
    struct json_at list;
    if (r->tunables_flawed || !layers_find_any(&r->layers, keys, &list)) return true;
    for (int i = 0; i < r->layers.count; i++)
        if (layer_has(&r->layers, i, keys[0]) && layer_has(&r->layers, i, keys[1]))
            return json_fail(&r->layers.at[i], r->err, "\"seeds\" is the old name of \"systems\"; here are both");
    return read_each(r, &list, KERNEL_RULES, read_system);
}

static bool read_sizes(struct kernel_reading *r, const struct json_at *at, struct device_default *out) {
    struct json_at list, item;
    int count;
    if (!json_member(at, "subgroup_sizes", false, &list, r->err) || !read_list(r, &list, KERNEL_RULES, &count))
        return false;
    if (!count) return json_fail(&list, r->err, "expected at least one size");
    for (int i = 0; i < count; i++) {
        int64_t size;
        if (!json_item(&list, (size_t)i, &item, r->err) || !json_integer(&item, 1, UINT32_MAX, &size, r->err))
            return false;
        if (!i || size < out->least_subgroup) out->least_subgroup = size;
        if (!i || size > out->most_subgroup) out->most_subgroup = size;
    }
    return true;
}

static bool read_default(struct kernel_reading *r, const struct json_at *at) {
    static const char *const keys[] = {"subgroup_sizes", "shape", NULL};
    struct device_default *out = &r->kernel->defaults[r->kernel->default_count++];
    return json_only(at, keys, r->err) && read_sizes(r, at, out) && read_shape(r, at, out->value);
}

bool read_defaults(struct kernel_reading *r) {
    struct json_at list;
    return r->tunables_flawed || !layers_find(&r->layers, "defaults", &list) ||
           read_each(r, &list, KERNEL_RULES, read_default);
}
