// SPDX-License-Identifier: Apache-2.0
#include "sample_shapes.h"

#include "../plan/shapes.h"

#include <string.h>

_Static_assert(
    (int)COVERING_FACTORS >= (int)KERNEL_TUNABLES && (int)COVERING_LEVELS >= (int)KERNEL_VALUES, "a shape is a row");

uint8_t sample_level(const struct tunable *tunable, int64_t value) {
    uint8_t at = 0;
    while (at + 1 < tunable->value_count && tunable->values[at] != value) at++;
    return at;
}

static void list_legal(const struct trial *trial, struct shape_sample *out) {
    const struct kernel *kernel = trial->kernel;
    int digit[KERNEL_TUNABLES] = {0};
    struct shape shape = shape_first(kernel), standard = trial_default(trial);
    size_t capacity = 0;
    do {
        const struct refusal *why = trial_shape(trial, &shape);
        if (why && !why->by_dims) continue;
        out->items = arena_grow(trial->arena, out->items, out->legal, &capacity, sizeof shape);
        out->items[out->legal++] = shape;
        if (!shape_equal(kernel, &shape, &standard)) continue;
        out->items[out->legal - 1] = out->items[0];
        out->items[0] = shape;
    } while (shape_next(kernel, digit, &shape));
}

static struct covering_row *rows_of(
    struct arena *arena, const struct kernel *kernel, const struct shape *shapes, size_t count) {
    struct covering_row *rows = arena_alloc(arena, count + 1, sizeof *rows);
    for (size_t i = 0; i < count; i++)
        for (int t = 0; t < kernel->tunable_count; t++)
            rows[i].level[t] = sample_level(&kernel->tunables[t], shapes[i].value[t]);
    return rows;
}

size_t sample_pairs(struct arena *arena, const struct kernel *kernel, const struct shape *shapes, size_t count) {
    struct covering_counts counts;
    size_t *order;
    covering_choose(
        arena, rows_of(arena, kernel, shapes, count), count, kernel->tunable_count, NULL, 0, 0, &order, &counts);
    return counts.pairs;
}

// Weights the values by the faults they show. Tunables other than the workgroup change the form of loops, and least or
// greatest values go farthest from the default.
static struct covering_weights weights_of(const struct kernel *kernel) {
    struct covering_weights weights = {{{0}}};
    for (int t = 0; t < kernel->tunable_count; t++) {
        const struct tunable *tunable = &kernel->tunables[t];
        const int of_loops = strncmp(tunable->name, "WG_", 3) != 0 ? 2 : 1;
        for (int v = 0; v < tunable->value_count; v++)
            weights.of[t][v] = (uint8_t)(of_loops * (v == 0 || v + 1 == tunable->value_count ? 2 : 1));
    }
    return weights;
}

struct shape_sample sample_shapes(const struct trial *trial, uint64_t key, int most) {
    struct shape_sample out = {0};
    const struct kernel *kernel = trial->kernel;
    list_legal(trial, &out);
    struct covering_row *rows = rows_of(trial->arena, kernel, out.items, out.legal);
    const struct covering_weights weights = weights_of(kernel);
    size_t *order;
    out.count = covering_choose(
        trial->arena, rows, out.legal, kernel->tunable_count, &weights, key, (size_t)most, &order, &out.pairs);
    struct shape *items = arena_alloc(trial->arena, out.legal + 1, sizeof *items);
    for (size_t i = 0; i < out.legal; i++) items[i] = out.items[order[i]];
    out.items = items;
    return out;
}
