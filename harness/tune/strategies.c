// SPDX-License-Identifier: Apache-2.0
// The table of strategies, with the simple ones; the race has a file of its own.
#include "candidates.h"

#include <string.h>

static bool ask_in_full(struct candidates *candidates, size_t shape) {
    while (candidates->items[shape].state != BARRED && candidates->items[shape].count < candidates->options.least)
        if (!candidates_ask(candidates, shape)) return false;
    return true;
}

// Asks every shape in full. Shapes are interleaved, so clock drift affects all alike, in groups small enough for a
// device to hold compiled.
static void search_exhaustive(struct candidates *candidates) {
    enum { INTERLEAVED = 32 }; // shapes
    const size_t count = candidates->space->count;
    for (size_t first = 0; first < count; first += INTERLEAVED)
        for (size_t n = 0; n < candidates->options.least; n++)
            for (size_t i = first; i < count && i < first + INTERLEAVED; i++)
                if (candidates->items[i].count <= n && !candidates_ask(candidates, i)) return;
}

// The yardstick for all others: asks random shapes without repeats, each in full, up to the limit.
static void search_random(struct candidates *candidates) {
    const size_t count = candidates->space->count;
    size_t *order = arena_alloc(candidates->arena, count, sizeof *order);
    for (size_t i = 0; i < count; i++) order[i] = i;
    candidates_shuffle(candidates, order, count);
    for (size_t i = 0; i < count; i++)
        if (!ask_in_full(candidates, order[i])) return;
}

// Returns the default; if it is barred, another start shape, then any shape.
static int start_of(struct candidates *candidates) {
    const struct space *space = candidates->space;
    for (int turn = 0; turn <= 2; turn++)
        for (size_t i = 0; i < space->count; i++) {
            if (turn < 2 && !(turn ? space->places[i].start : space->places[i].standard)) continue;
            if (!ask_in_full(candidates, i)) return NOT_FOUND;
            if (candidates->items[i].state == ALIVE) return (int)i;
        }
    return NOT_FOUND;
}

// Greedy local search, for comparison. It moves from a starting shape to the best of its neighbours, each asked in
// full, until none is better or the limit is reached.
static void search_greedy(struct candidates *candidates) {
    const struct space *space = candidates->space;
    int at = start_of(candidates), before = NOT_FOUND;
    while (at != before && at != NOT_FOUND) {
        before = at;
        for (size_t i = 0; i < space->count; i++)
            if (space_distance(space, i, (size_t)before) == 1 && !ask_in_full(candidates, i)) return;
        at = candidates_leader(candidates, ALIVE);
    }
}

const struct strategy strategies[] = {
    {"race", "interleaved rounds; losers drop out", search_race},
    {"exhaustive", "all samples of every shape", search_exhaustive},
    {"random", "random shapes with all samples", search_random},
    {"greedy", "moves from the default to the best neighbour, until none is better", search_greedy},
    {0},
};

const struct strategy *strategy_named(const char *name) {
    for (const struct strategy *s = strategies; s->name; s++)
        if (strcmp(s->name, name) == 0) return s;
    return NULL;
}

void strategy_search(const struct strategy *strategy, const struct space *space, const struct search_options *options,
    struct arena *arena, struct search_finding *out) {
    struct candidates candidates;
    candidates_open(&candidates, space, options, arena);
    bool goes_on = true; // one sample of the default is first, so even a search cut short can name it
    for (size_t i = 0; goes_on && i < space->count; i++)
        goes_on = !space->places[i].standard || candidates_ask(&candidates, i);
    if (goes_on) strategy->search(&candidates);
    candidates_close(&candidates, out);
}
