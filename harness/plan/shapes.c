// SPDX-License-Identifier: Apache-2.0
// The shapes of a case: which of the product of the tunables' values are tried.
#include "shape.h"

struct listing {
    const struct shape_request *request;
    struct shape_found *items;
    size_t count, capacity;
};

static bool listed(const struct listing *list, const struct shape *shape) {
    for (size_t i = 0; i < list->count; i++)
        if (shape_equal(list->request->trial.kernel, &list->items[i].shape, shape)) return true;
    return false;
}

static bool add(struct listing *list, const struct shape *shape, const struct refusal *refused) {
    struct shape_found *grown =
        arena_grow(list->request->trial.arena, list->items, list->count, &list->capacity, sizeof *grown);
    if (!grown) return false;
    list->items = grown;
    list->items[list->count++] = (struct shape_found){*shape, refused};
    return true;
}

// A shape asked for by name is listed even when it is refused.
static bool add_named(struct listing *list, const struct shape *shape) {
    return listed(list, shape) || add(list, shape, trial_shape(&list->request->trial, shape));
}

static bool add_systems(struct listing *list) {
    const struct kernel *kernel = list->request->trial.kernel;
    bool ok = true;
    for (int i = 0; ok && i < kernel->system_count; i++) {
        struct shape seed;
        for (int t = 0; t < KERNEL_TUNABLES; t++) seed.value[t] = kernel->systems[i].value[t];
        ok = add_named(list, &seed);
    }
    return ok;
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

// Sorts every shape that is not listed yet into legal and
// refused ones; those pruned for these dims are dropped.
static bool enumerate(const struct listing *list, struct listing *legal, struct listing *refused) {
    const struct kernel *kernel = list->request->trial.kernel;
    int digit[KERNEL_TUNABLES] = {0};
    struct shape shape = shape_first(kernel);
    bool ok = true;
    do {
        if (listed(list, &shape)) continue;
        const struct refusal *why = trial_shape(&list->request->trial, &shape);
        if (!why || !why->by_dims) ok = add(why ? refused : legal, &shape, why);
    } while (ok && shape_next(kernel, digit, &shape));
    return ok;
}

// A deterministic spread: one shape from each of `wanted` equal stretches of the legal ones. The
// place within the stretch follows the golden ratio's multiples, since a fixed stride would keep
// step with the last tunable and always meet the same value of it.
static bool add_spread(struct listing *list, const struct listing *legal, size_t wanted) {
    if (wanted > legal->count) wanted = legal->count;
    bool ok = true;
    for (size_t i = 0; ok && i < wanted; i++) {
        size_t first = i * legal->count / wanted, end = (i + 1) * legal->count / wanted;
        uint32_t fraction = (uint32_t)(i + 1) * 0x9E3779B9u; // 2^32 over the golden ratio
        size_t at = first + (size_t)((uint64_t)(end - first) * fraction >> 32);
        ok = add(list, &legal->items[at].shape, NULL);
    }
    return ok;
}

static bool add_enumerated(struct listing *list) {
    struct listing legal = {.request = list->request}, refused = {.request = list->request};
    if (!enumerate(list, &legal, &refused)) return false;
    if (list->request->choice == SHAPES_SOME) return add_spread(list, &legal, (size_t)list->request->some);
    bool ok = true;
    for (size_t i = 0; ok && i < legal.count; i++) ok = add(list, &legal.items[i].shape, NULL);
    for (size_t i = 0; ok && i < refused.count; i++) ok = add(list, &refused.items[i].shape, refused.items[i].refused);
    return ok;
}

static bool collect(struct listing *list) {
    const struct shape_request *request = list->request;
    bool ok = true;
    if (request->choice == SHAPES_LISTED) {
        for (size_t i = 0; ok && i < request->listed_count; i++) ok = add_named(list, &request->listed[i]);
        return ok;
    }
    struct shape standard = kernel_default_shape(request->trial.kernel);
    ok = add_named(list, &standard);
    if (ok && request->choice >= SHAPES_SYSTEMS) ok = add_systems(list);
    if (ok && request->choice >= SHAPES_SOME) ok = add_enumerated(list);
    return ok;
}

struct shape_found *shapes_of_case(const struct shape_request *request, size_t *count) {
    struct listing list = {.request = request}, ordered = {.request = request};
    const struct refusal *why = trial_case(&request->trial);
    struct shape standard = kernel_default_shape(request->trial.kernel);
    bool ok = why ? add(&ordered, &standard, why) : collect(&list);
    for (int refused = 0; refused <= 1; refused++)
        for (size_t i = 0; ok && i < list.count; i++)
            if ((list.items[i].refused != NULL) == refused)
                ok = add(&ordered, &list.items[i].shape, list.items[i].refused);
    *count = ordered.count;
    return ok ? ordered.items : NULL;
}
