// SPDX-License-Identifier: Apache-2.0
#include "search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The numbers in a name, in order; names of one kernel have the same ones at the same place.
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
    const int64_t (*numbers)[KERNEL_TUNABLES], size_t count, int axis, int64_t *room, struct place *places) {
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

struct place *places_of_names(struct arena *arena, const char *const *names, size_t count, int *axes) {
    struct place *places = arena_alloc(arena, count + 1, sizeof *places);
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
