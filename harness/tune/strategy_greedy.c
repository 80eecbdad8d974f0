// SPDX-License-Identifier: Apache-2.0
// Greedy local search, for comparison: from a starting shape to the best of its neighbours, each
// in full, until none is better or the limit is reached.
#include "candidates.h"
#include "strategies.h"

static bool in_full(struct candidates *candidates, size_t shape) {
    while (candidates->items[shape].state != BARRED && candidates->items[shape].count < candidates->options.least)
        if (!candidates_ask(candidates, shape)) return false;
    return true;
}

// The default, or the first shape that is not barred where it is.
static int start(struct candidates *candidates) {
    const struct space *space = candidates->space;
    for (int any = 0; any <= 1; any++)
        for (size_t i = 0; i < space->count; i++) {
            if (!any && !space->places[i].start) continue;
            if (!in_full(candidates, i)) return NOT_FOUND;
            if (candidates->items[i].state == ALIVE) return (int)i;
        }
    return NOT_FOUND;
}

bool search_greedy(const struct space *space, const struct search_options *options, struct arena *arena,
    struct finding *out, struct error *err) {
    struct candidates candidates;
    if (!candidates_open(&candidates, space, options, arena, err)) return false;
    int at = start(&candidates), before = NOT_FOUND;
    while (at != before && at != NOT_FOUND) {
        before = at;
        for (size_t i = 0; i < space->count; i++)
            if (space_distance(space, i, (size_t)before) == 1 && !in_full(&candidates, i))
                return candidates_close(&candidates, out, err);
        at = candidates_leader(&candidates, ALIVE);
    }
    return candidates_close(&candidates, out, err);
}
