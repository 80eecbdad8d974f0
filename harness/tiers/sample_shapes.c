// SPDX-License-Identifier: Apache-2.0
#include "sample_shapes.h"

#include "../plan/shapes.h"

_Static_assert(
    (int)COVERING_FACTORS >= (int)KERNEL_TUNABLES && (int)COVERING_LEVELS >= (int)KERNEL_VALUES, "a shape is a row");

static int value_index(const struct tunable *tunable, int64_t value) {
    int at = 0;
    while (at + 1 < tunable->value_count && tunable->values[at] != value) at++;
    return at;
}

static void list_legal(const struct trial *trial, struct shape_sample *out) {
    const struct kernel *kernel = trial->kernel;
    int digit[KERNEL_TUNABLES] = {0};
    struct shape shape = shape_first(kernel), standard = kernel_default_shape(kernel);
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
            rows[i].level[t] = (uint8_t)value_index(&kernel->tunables[t], shapes[i].value[t]);
    return rows;
}

size_t sample_pairs(struct arena *arena, const struct kernel *kernel, const struct shape *shapes, size_t count) {
    struct covering_facts facts;
    size_t *order;
    covering_choose(arena, rows_of(arena, kernel, shapes, count), count, kernel->tunable_count, 0, 0, &order, &facts);
    return facts.pairs;
}

struct shape_sample sample_shapes(const struct trial *trial, uint64_t key, int most) {
    struct shape_sample out = {0};
    const struct kernel *kernel = trial->kernel;
    list_legal(trial, &out);
    struct covering_row *rows = rows_of(trial->arena, kernel, out.items, out.legal);
    size_t *order;
    out.count =
        covering_choose(trial->arena, rows, out.legal, kernel->tunable_count, key, (size_t)most, &order, &out.pairs);
    struct shape *items = arena_alloc(trial->arena, out.legal + 1, sizeof *items);
    for (size_t i = 0; i < out.legal; i++) items[i] = out.items[order[i]];
    out.items = items;
    return out;
}
