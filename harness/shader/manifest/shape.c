// SPDX-License-Identifier: Apache-2.0
#include "shape.h"

#include "../../base/text.h"
#include "../../device/limits.h"
#include "known_names.h"
#include "dispatches.h"
#include "../../device/device_info.h"

#include <string.h>

const char *const workgroup_names[3] = {"WG_X", "WG_Y", "WG_Z"};

static bool is_of_device(const struct kernel_default *standard, const struct device_info *device) {
    return !standard->most_subgroup || (device->min_subgroup_size <= standard->least_subgroup &&
                                           device->max_subgroup_size == standard->most_subgroup);
}

static bool is_of_case(const struct kernel_default *standard, enum dtype dtype, const int64_t *dims) {
    if (!standard->by_case) return true;
    if (!dims || !standard->dtypes[dtype]) return false;
    for (int i = 0; i < standard->when_count; i++) {
        const struct dim_range *range = &standard->when[i];
        if (dims[range->dim] < range->least || dims[range->dim] > range->most) return false;
    }
    return true;
}

// Returns the least value that is at least `wanted`, or the largest.
static int64_t value_from(const struct tunable *tunable, int64_t wanted) {
    int64_t best = tunable->values[0];
    for (int i = 1; i < tunable->value_count; i++) {
        const int64_t value = tunable->values[i];
        if (best < wanted ? value > best : value >= wanted && value < best) best = value;
    }
    return best;
}

struct shape kernel_case_shape(
    const struct kernel *kernel, const struct device_info *device, enum dtype dtype, const int64_t *dims) {
    struct shape shape = {0};
    const struct kernel_default *standard = NULL;
    for (int i = 0; device && !standard && i < kernel->default_count; i++)
        if (is_of_device(&kernel->defaults[i], device) && is_of_case(&kernel->defaults[i], dtype, dims))
            standard = &kernel->defaults[i];
    for (int i = 0; i < kernel->tunable_count; i++) {
        const struct tunable *tunable = &kernel->tunables[i];
        shape.value[i] = standard ? standard->value[i] : tunable->standard;
        if (standard && standard->dim[i] && dims) shape.value[i] = value_from(tunable, dims[standard->dim[i] - 1]);
    }
    return shape;
}

struct shape kernel_default_shape(const struct kernel *kernel, const struct device_info *device) {
    return kernel_case_shape(kernel, device, DTYPE_COUNT, NULL);
}

// Has a loop instead of strcmp: names are short, and plans ask for each tunable of each shape many times.
static int tunable_index(const struct kernel *kernel, const char *name) {
    for (int i = 0; i < kernel->tunable_count; i++) {
        const char *a = kernel->tunables[i].name, *b = name;
        for (; *a && *a == *b; a++) b++;
        if (*a == *b) return i;
    }
    return -1;
}

int kernel_variable(const struct kernel *kernel, const char *name) {
    for (int i = 0; i < kernel->variable_count; i++)
        if (strcmp(kernel->variables[i].name, name) == 0) return i;
    return -1;
}

int64_t shape_value(const struct kernel *kernel, const struct shape *shape, const char *name, int64_t otherwise) {
    const int index = tunable_index(kernel, name);
    if (index >= 0) return shape->value[index];
    const int variable = kernel_variable(kernel, name);
    return variable >= 0 ? shape->turn[variable] : otherwise;
}

void shape_workgroup(const struct kernel *kernel, const struct shape *shape, uint32_t wg[3]) {
    for (int axis = 0; axis < 3; axis++) wg[axis] = (uint32_t)shape_value(kernel, shape, workgroup_names[axis], 1);
}

const char *shape_set(
    struct arena *arena, const struct kernel *kernel, struct shape *shape, const char *name, int64_t value) {
    int index = tunable_index(kernel, name);
    if (index < 0) {
        struct known_names names = {0};
        names_of_tunables(&names, kernel);
        return arena_format(
            arena, "kernel %s has no tunable \"%s\"%s", kernel->name, name, names_hint(arena, &names, name));
    }
    const struct tunable *tunable = &kernel->tunables[index];
    for (int i = 0; i < tunable->value_count; i++) {
        if (tunable->values[i] != value) continue;
        shape->value[index] = value;
        return NULL;
    }
    struct text values = {0};
    for (int i = 0; i < tunable->value_count; i++)
        text_format(&values, "%s%lld", i ? ", " : "", (long long)tunable->values[i]);
    return arena_format(arena, "%s of kernel %s cannot be %lld; its manifest lists %s", name, kernel->name,
        (long long)value, arena_take(arena, &values));
}

bool shape_equal(const struct kernel *kernel, const struct shape *a, const struct shape *b) {
    return memcmp(a->value, b->value, (size_t)kernel->tunable_count * sizeof a->value[0]) == 0;
}

const char *shape_systems(struct arena *arena, const struct kernel *kernel, const struct shape *shape) {
    const char *systems = "";
    for (int i = 0; i < kernel->system_count; i++) {
        struct shape seed;
        memcpy(seed.value, kernel->systems[i].value, sizeof seed.value);
        if (!shape_equal(kernel, &seed, shape)) continue;
        systems = arena_format(arena, "%s%s%s", systems, *systems ? "," : "", kernel->systems[i].system);
    }
    return systems;
}

struct shape shape_first(const struct kernel *kernel) {
    struct shape shape = {0};
    for (int i = 0; i < kernel->tunable_count; i++) shape.value[i] = kernel->tunables[i].values[0];
    return shape;
}

bool shape_next(const struct kernel *kernel, int *digit, struct shape *shape) {
    for (int i = kernel->tunable_count - 1; i >= 0; i--) {
        const struct tunable *tunable = &kernel->tunables[i];
        digit[i] = digit[i] + 1 < tunable->value_count ? digit[i] + 1 : 0;
        shape->value[i] = tunable->values[digit[i]];
        if (digit[i]) return true;
    }
    return false;
}
