// SPDX-License-Identifier: Apache-2.0
#include "batches.h"

#include "../../base/names.h"
#include "../../../reference/table.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_SHARED = 4 }; // points left in a batch for another worker to join it

// Returns what the points of a batch have in common: their kernel, dtype and shape, as in
// "softmax.online/f32/wg=64x1x1", or the kernel of mutants.
static const char *key_of(struct arena *arena, const struct point *point) {
    if (point->mutant) return arena_format(arena, "%s!", point->kernel->name);
    const char *name = point->name, *shape = name + point->case_length;
    const char *dtype = strchr(name, '/') + 1, *dims = dtype + strcspn(dtype, "/");
    const int length = (int)(1 + strcspn(shape + 1, "/"));
    return arena_format(arena, "%.*s%.*s", (int)(dims - name), name, length, shape);
}

// Numbers the batch of each point, and counts the points of each batch.
static void number(
    struct arena *arena, const struct plan *plan, const bool *skip, size_t *batch_of, struct batches *out) {
    struct names names = {0};
    for (size_t i = 0; i < plan->count; i++) {
        if (skip[i]) continue;
        const char *key = key_of(arena, &plan->points[i]);
        batch_of[i] = names_put(&names, key, strlen(key), out->count);
        out->count += batch_of[i] == out->count;
        out->items[batch_of[i]].count++;
    }
    names_free(&names);
}

double point_work(const struct point *point) {
    const struct op *op = point->kernel->op;
    return (operator_elements(op, point->dims) + operator_flops(op, point->dims)) * (1 + point->draws);
}

struct batches batches_make(struct arena *arena, const struct plan *plan, const bool *skip) {
    struct batches out = {.items = arena_alloc(arena, plan->count + 1, sizeof *out.items)};
    size_t *batch_of = arena_alloc(arena, plan->count + 1, sizeof *batch_of);
    size_t *places = arena_alloc(arena, plan->count + 1, sizeof *places);
    number(arena, plan, skip, batch_of, &out);
    for (size_t i = 0; i < out.count; i++) {
        out.items[i].points = places;
        places += out.items[i].count;
        out.items[i].count = 0;
    }
    for (size_t i = 0; i < plan->count; i++) {
        struct batch *batch = &out.items[batch_of[i]];
        if (skip[i]) continue;
        batch->points[batch->count++] = i;
        const struct point *point = &plan->points[i];
        batch->work += point_work(point);
    }
    return out;
}

static int longest_first(const void *a, const void *b) {
    const struct batch *x = a, *y = b;
    if (x->work != y->work) return x->work > y->work ? -1 : 1;
    return x->points[0] < y->points[0] ? -1 : 1;
}

void batches_longest_first(struct batches *batches) {
    qsort(batches->items, batches->count, sizeof *batches->items, longest_first);
}

size_t batches_workers(const struct batches *batches) {
    size_t workers = 0;
    for (size_t i = 0; i < batches->count; i++) {
        const size_t count = batches->items[i].count;
        workers += count > LEAST_SHARED ? count / LEAST_SHARED : 1;
    }
    return workers;
}

bool batches_take(struct batches *batches, struct batch **own, size_t *point) {
    struct batch *batch = *own;
    if (batch && batch->taken == batch->count) batch = NULL;
    if (!batch && batches->begun < batches->count) batch = &batches->items[batches->begun++];
    for (size_t i = 0; !batch && i < batches->count; i++)
        if (batches->items[i].taken + LEAST_SHARED <= batches->items[i].count) batch = &batches->items[i];
    *own = batch;
    if (batch) *point = batch->points[batch->taken++];
    return batch;
}
