// SPDX-License-Identifier: Apache-2.0
#include "sample_shapes.h"

#include "../../reference/philox.h"
#include "shape.h"

static void list_legal(const struct trial *trial, struct shape_sample *out) {
    const struct kernel *kernel = trial->kernel;
    int digit[KERNEL_TUNABLES] = {0};
    struct shape shape = shape_first(kernel);
    size_t capacity = 0;
    do {
        const struct refusal *why = trial_shape(trial, &shape);
        if (why && !why->by_dims) continue;
        out->items = arena_grow(trial->arena, out->items, out->legal, &capacity, sizeof shape);
        out->items[out->legal++] = shape;
    } while (shape_next(kernel, digit, &shape));
}

// The values of tunables that the chosen shapes hold.
struct met {
    bool value[KERNEL_TUNABLES][KERNEL_VALUES];
};

static int value_index(const struct tunable *tunable, int64_t value) {
    int at = 0;
    while (at + 1 < tunable->value_count && tunable->values[at] != value) at++;
    return at;
}

static int unmet(const struct kernel *kernel, const struct met *met, const struct shape *shape) {
    int count = 0;
    for (int i = 0; i < kernel->tunable_count; i++)
        count += !met->value[i][value_index(&kernel->tunables[i], shape->value[i])];
    return count;
}

static void take(const struct kernel *kernel, struct shape_sample *out, size_t at, struct met *met) {
    struct shape shape = out->items[at];
    out->items[at] = out->items[out->count];
    out->items[out->count++] = shape;
    for (int i = 0; i < kernel->tunable_count; i++)
        met->value[i][value_index(&kernel->tunables[i], shape.value[i])] = true;
}

struct shape_sample sample_shapes(const struct trial *trial, uint64_t key, int most) {
    struct shape_sample out = {0};
    const struct kernel *kernel = trial->kernel;
    struct met met = {0};
    struct shape standard = kernel_default_shape(kernel);
    list_legal(trial, &out);
    for (size_t i = 0; i < out.legal && !out.count; i++)
        if (shape_equal(kernel, &out.items[i], &standard)) take(kernel, &out, i, &met);
    for (bool all_met = false; out.count < out.legal && out.count < (size_t)most;) {
        // A draw decides where the search begins; the first of those that add most is taken.
        size_t left = out.legal - out.count;
        size_t start = (size_t)((uint64_t)philox(key, out.count, 3).v[0] * left >> 32), best = out.count + start;
        int best_unmet = all_met ? 0 : unmet(kernel, &met, &out.items[best]);
        for (size_t i = 1; !all_met && i < left; i++) {
            size_t at = out.count + (start + i) % left;
            int count = unmet(kernel, &met, &out.items[at]);
            if (count <= best_unmet) continue;
            best_unmet = count;
            best = at;
        }
        all_met = best_unmet == 0;
        take(kernel, &out, best, &met);
    }
    return out;
}
