// SPDX-License-Identifier: Apache-2.0
#include "search.h"

#include "../base/memory.h"
#include "../engine/plan/legal.h"
#include "../engine/plan/problem.h"
#include "../base/hash.h"
#include "../truth/stats/summary.h"
#include "../../reference/operator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Reads the numbers in a name, in order. Names of one kernel have the same tunables in the same places.
static int numbers_of(const char *name, int64_t numbers[KERNEL_TUNABLES]) {
    int count = 0;
    for (const char *at = name; *at && count < KERNEL_TUNABLES;) {
        bool begins = (*at >= '0' && *at <= '9') && at > name && (at[-1] == '=' || at[-1] == 'x');
        if (!begins) {
            at++;
            continue;
        }
        char *end;
        numbers[count++] = strtoll(at, &end, 10);
        at = end;
    }
    return count;
}

static int by_number(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// Replaces numbers by their rank among the distinct ones.
static void rank(
    const int64_t (*numbers)[KERNEL_TUNABLES], size_t count, int axis, int64_t *room, struct shape_place *places) {
    size_t distinct = 0;
    for (size_t i = 0; i < count; i++) room[i] = numbers[i][axis];
    qsort(room, count, sizeof *room, by_number);
    for (size_t i = 0; i < count; i++)
        if (!distinct || room[i] != room[distinct - 1]) room[distinct++] = room[i];
    for (size_t i = 0; i < count; i++) {
        const int64_t *found = bsearch(&numbers[i][axis], room, distinct, sizeof *room, by_number);
        places[i].step[axis] = (int)(found - room);
    }
}

struct shape_place *places_of_names(struct arena *arena, const char *const *names, size_t count, int *axes) {
    struct shape_place *places = arena_alloc(arena, count + 1, sizeof *places);
    int64_t(*numbers)[KERNEL_TUNABLES] = arena_alloc(arena, count + 1, sizeof *numbers);
    int64_t *room = arena_alloc(arena, count + 1, sizeof *room);
    *axes = 0;
    for (size_t i = 0; i < count; i++) {
        int found = numbers_of(names[i], numbers[i]);
        if (found > *axes) *axes = found;
        places[i].expected = NAN;
    }
    for (int axis = 0; axis < *axes; axis++)
        rank((const int64_t(*)[KERNEL_TUNABLES])numbers, count, axis, room, places);
    return places;
}

// ---- best shape and ties

// Returns the fastest shape and sets the best one.
static int find_best(struct search_finding *finding, size_t count, size_t least) {
    const struct summary **times = memory_alloc(count, sizeof *times);
    for (size_t i = 0; i < count; i++) times[i] = finding->wrong[i] ? NULL : &finding->times[i];
    const size_t fastest = best_time(times, count, least);
    const size_t standard = finding->standard == NOT_FOUND ? count : (size_t)finding->standard;
    finding->best = fastest == SIZE_MAX ? NOT_FOUND : (int)time_choice(times, count, least, standard);
    free(times);
    return fastest == SIZE_MAX ? NOT_FOUND : (int)fastest;
}

void finding_choose(struct search_finding *finding, size_t count, size_t least) {
    const int fastest = find_best(finding, count, least);
    finding->runner_up = NOT_FOUND;
    finding->tie_count = 0;
    for (size_t i = 0; fastest != NOT_FOUND && i < count; i++) {
        const struct summary *time = &finding->times[i];
        if ((int)i == finding->best || finding->wrong[i] || !time->samples) continue;
        if (times_tie(&finding->times[fastest], time)) {
            if (finding->tie_count < FINDING_TIES) finding->ties[finding->tie_count++] = (int)i;
        } else if (finding->runner_up == NOT_FOUND || time->median < finding->times[finding->runner_up].median) {
            finding->runner_up = (int)i;
        }
    }
}

// ---- neighbouring dims

enum { LEAST_SIZE = 8 };

// Makes the point with dim `changed` moved by `step`. Returns false if there is no such problem.
static bool move(struct arena *arena, const struct point *from, int changed, int step, struct point *out) {
    const struct op *op = from->kernel->op;
    *out = (struct point){.kernel = from->kernel, .dtype = from->dtype, .shape = from->shape, .systems = ""};
    struct problem_setter setter = problem_setter(arena, out);
    for (int i = 0; i < operator_dims(op); i++)
        if (problem_set(&setter, op->dims[i], (double)(from->dims[i] + (i == changed ? step : 0)))) return false;
    for (int i = 0; i < operator_params(op); i++)
        if (from->params[i] != op->params[i].standard && problem_set(&setter, op->params[i].name, from->params[i]))
            return false;
    return !problem_derive(&setter);
}

static bool legal(
    struct arena *arena, const struct point *point, const struct device_info *device, double memory_share) {
    struct trial trial = trial_of(point, device, memory_share, arena);
    return !trial_both(&trial, &point->shape);
}

struct point *neighbours_of(struct arena *arena, const struct point *point, const struct device_info *device,
    double memory_share, size_t *count) {
    int dims = operator_dims(point->kernel->op);
    struct point *out = arena_alloc(arena, (size_t)dims * 2 + 1, sizeof *out);
    *count = 0;
    for (int i = 0; i < dims; i++)
        for (int step = -1; step <= 1; step += 2) {
            struct point *moved = &out[*count];
            if (point->dims[i] < LEAST_SIZE || !move(arena, point, i, step, moved) ||
                !legal(arena, moved, device, memory_share))
                continue;
            point_name(arena, moved);
            ++*count;
        }
    return out;
}

// ---- losses at other dims

struct learnt {
    uint64_t key; // of family and shape
    double loss;
};

static uint64_t key_of(const char *family, const char *name) {
    return hash_string(hash_string(HASH_START, family), name);
}

static struct learnt *find(const struct model *model, uint64_t key) {
    for (size_t i = 0; i < model->count; i++)
        if (model->items[i].key == key) return &model->items[i];
    return NULL;
}

void model_learn(struct model *model, const char *family, const char *const *names, const struct space *space,
    const struct search_finding *finding) {
    if (finding->best == NOT_FOUND) return;
    for (size_t i = 0; i < space->count; i++) {
        if (!finding->times[i].samples) continue;
        struct learnt learnt = {
            key_of(family, names[i]), finding->times[i].median / finding->times[finding->best].median};
        struct learnt *known = find(model, learnt.key);
        if (!known) {
            model->items = arena_grow(model->arena, model->items, model->count, &model->capacity, sizeof *known);
            known = &model->items[model->count++];
        }
        *known = learnt;
    }
}

void model_expect(const struct model *model, const char *family, const char *const *names, struct space *space) {
    for (size_t i = 0; i < space->count; i++) {
        const struct learnt *known = find(model, key_of(family, names[i]));
        space->places[i].expected = known ? known->loss : NAN;
    }
}
