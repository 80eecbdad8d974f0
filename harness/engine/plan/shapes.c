// SPDX-License-Identifier: Apache-2.0
// The shapes of a case: chooses among all combinations of the tunables' values.
#include "shapes.h"

#include "../../record/record.h"

#include <string.h>

// A kernel with more shapes than LARGEST_PRODUCT has too many to list. "All" then means a spread of LARGE_SPREAD.
enum { LARGEST_PRODUCT = 8192, LARGE_SPREAD = 1024 };

struct shape_list {
    const struct shape_request *request;
    struct shape_found *items;
    size_t count, capacity;
};

static bool listed(const struct shape_list *list, const struct shape *shape) {
    for (size_t i = 0; i < list->count; i++)
        if (shape_equal(list->request->trial.kernel, &list->items[i].shape, shape)) return true;
    return false;
}

static void add(struct shape_list *list, const struct shape *shape, const struct refusal *refused) {
    list->items =
        arena_grow(list->request->trial.arena, list->items, list->count, &list->capacity, sizeof *list->items);
    list->items[list->count++] = (struct shape_found){*shape, refused};
}

// Adds a shape requested by name, even if it is refused.
static void add_named(struct shape_list *list, const struct shape *shape) {
    if (!listed(list, shape)) add(list, shape, trial_shape(&list->request->trial, shape));
}

// Sorts all shapes not listed yet into legal and refused ones. Shapes refused only for these dims are dropped.
static void enumerate(const struct shape_list *list, struct shape_list *legal, struct shape_list *refused) {
    const struct kernel *kernel = list->request->trial.kernel;
    int digit[KERNEL_TUNABLES] = {0};
    struct shape shape = shape_first(kernel);
    do {
        if (listed(list, &shape)) continue;
        const struct refusal *why = trial_shape(&list->request->trial, &shape);
        if (!why || !why->by_dims) add(why ? refused : legal, &shape, why);
    } while (shape_next(kernel, digit, &shape));
}

// Adds a deterministic spread: one shape from each of `wanted` equal stretches of the legal ones. Its place in the
// stretch follows the multiples of the golden ratio. A fixed stride would keep step with the last tunable and always
// meet the same value.
static void add_spread(struct shape_list *list, const struct shape_list *legal, size_t wanted) {
    if (wanted > legal->count) wanted = legal->count;
    for (size_t i = 0; i < wanted; i++) {
        size_t first = i * legal->count / wanted, end = (i + 1) * legal->count / wanted;
        uint32_t fraction = (uint32_t)(i + 1) * 0x9E3779B9u; // 2^32 over the golden ratio
        size_t at = first + (size_t)((uint64_t)(end - first) * fraction >> 32);
        add(list, &legal->items[at].shape, NULL);
    }
}

static void add_all(struct shape_list *list, const struct shape_list *more) {
    for (size_t i = 0; i < more->count; i++) add(list, &more->items[i].shape, more->items[i].refused);
}

static bool of_profile(const struct refusal *why) {
    return why->kind == REFUSAL_PROFILE_LIMIT || why->kind == REFUSAL_PROFILE_FEATURE;
}

static bool of_matrices(const struct refusal *why) {
    return why->kind == REFUSAL_SUBGROUP_SIZE || why->kind == REFUSAL_SUBGROUP_COUNT ||
           why->kind == REFUSAL_MATRIX_SIZES;
}

// Returns whether all shapes so far are refused, at least one of them for this cause. Another shape then takes their
// place.
static bool refused_for(const struct shape_list *list, bool (*cause)(const struct refusal *why)) {
    bool some = false;
    for (size_t i = 0; i < list->count; i++) {
        const struct refusal *why = list->items[i].refused;
        if (!why) return false;
        some = some || cause(why);
    }
    return some;
}

static bool names(const struct product *product, const char *name) {
    for (int i = 0; i < product->count; i++)
        if (product->factors[i].name && strcmp(product->factors[i].name, name) == 0) return true;
    return false;
}

// Finds the first legal shape with the default's values, except in tunables decided by matrices and in `other` (-1:
// none).
static bool find_near(const struct trial *trial, int other, struct shape *shape) {
    struct kernel *narrow = arena_alloc(trial->arena, 1, sizeof *narrow);
    int digit[KERNEL_TUNABLES] = {0};
    *narrow = *trial->kernel;
    const struct shape standard = trial_default(trial);
    for (int i = 0; i < narrow->tunable_count; i++) {
        struct tunable *tunable = &narrow->tunables[i];
        const struct cooperative_use *use = &narrow->cooperative;
        const char *name = tunable->name;
        // Matrices decide their sides, the subgroup size, and the workgroup's width in subgroups.
        if (i == other || strcmp(name, "SUBGROUP") == 0 || strcmp(name, "WG_X") == 0) continue;
        if (names(&use->m, name) || names(&use->n, name) || names(&use->k, name)) continue;
        tunable->values[0] = standard.value[i];
        tunable->value_count = 1;
    }
    *shape = shape_first(narrow);
    do {
        if (!trial_shape(trial, shape)) return true;
    } while (shape_next(narrow, digit, shape));
    return false;
}

// Replaces the refused shapes by a legal one near the default. Devices differ in the sizes of subgroups and matrices,
// so a default may not exist on this one. No shape is then skipped.
static void stand_in(struct shape_list *list) {
    const struct trial *trial = &list->request->trial;
    struct shape shape;
    for (int other = -1; other < trial->kernel->tunable_count; other++) {
        if (!find_near(trial, other, &shape)) continue;
        list->count = 0;
        add(list, &shape, NULL);
        return;
    }
}

static bool is_large(const struct kernel *kernel) {
    int64_t product = 1;
    for (int i = 0; i < kernel->tunable_count && product <= LARGEST_PRODUCT; i++)
        product *= kernel->tunables[i].value_count;
    return product > LARGEST_PRODUCT;
}

static void collect(struct shape_list *list) {
    const struct shape_request *request = list->request;
    const struct kernel *kernel = request->trial.kernel;
    if (request->choice == SHAPES_LISTED) {
        for (size_t i = 0; i < request->listed_count; i++) add_named(list, &request->listed[i]);
        return;
    }
    struct shape shape = trial_default(&request->trial);
    add_named(list, &shape);
    for (int i = 0; request->choice >= SHAPES_SYSTEMS && i < kernel->system_count; i++) {
        memcpy(shape.value, kernel->systems[i].value, sizeof shape.value);
        add_named(list, &shape);
    }
    if (refused_for(list, of_matrices)) stand_in(list);
    const bool beyond = refused_for(list, of_profile);
    if (request->choice < SHAPES_SOME && !beyond) return;
    struct shape_list legal = {.request = request}, refused = legal;
    enumerate(list, &legal, &refused);
    if (request->choice <= SHAPES_SOME) {
        add_spread(list, &legal, request->choice == SHAPES_SOME ? (size_t)request->some : 1);
    } else if (is_large(kernel)) {
        add_spread(list, &legal, LARGE_SPREAD);
    } else {
        add_all(list, &legal);
        add_all(list, &refused);
    }
}

struct shape_found *shapes_of_case(const struct shape_request *request, size_t *count) {
    const char *matrices = NULL; // a kernel has one scope
    struct shape_request own = *request;
    own.trial.matrices = &matrices;
    struct shape_list list = {.request = &own}, ordered = {.request = &own};
    const struct refusal *why = trial_case(&own.trial);
    struct shape standard = trial_default(&own.trial);
    if (why)
        add(&ordered, &standard, why);
    else
        collect(&list);
    for (int refused = 0; refused <= 1; refused++)
        for (size_t i = 0; i < list.count; i++)
            if ((list.items[i].refused != NULL) == refused) add(&ordered, &list.items[i].shape, list.items[i].refused);
    *count = ordered.count;
    return ordered.items;
}

struct shape shape_of_record(const struct kernel *kernel, const struct record *record) {
    struct shape shape = kernel_default_shape(kernel, NULL);
    for (int t = 0; t < kernel->tunable_count; t++) {
        const char *name = kernel->tunables[t].name;
        for (int axis = 0; axis < 3; axis++)
            if (strcmp(name, workgroup_names[axis]) == 0) shape.value[t] = record->wg[axis];
        for (int i = 0; i < record->tunable_count; i++)
            if (strcmp(name, record->tunables[i].name) == 0) shape.value[t] = (int64_t)record->tunables[i].value;
    }
    return shape;
}
