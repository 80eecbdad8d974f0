// SPDX-License-Identifier: Apache-2.0
// Greedy local search, for comparison: from a starting shape to the best of its neighbours, each
// in full, until none is better or the limit is reached.
#include "board.h"
#include "strategies.h"

static bool in_full(struct board *board, size_t shape) {
    while (board->heard[shape].state != BARRED && board->heard[shape].count < board->options.least)
        if (!board_ask(board, shape)) return false;
    return true;
}

// The default, or the first shape that is not barred where it is.
static int start(struct board *board) {
    const struct space *space = board->space;
    for (int any = 0; any <= 1; any++)
        for (size_t i = 0; i < space->count; i++) {
            if (!any && !space->places[i].start) continue;
            if (!in_full(board, i)) return NOT_FOUND;
            if (board->heard[i].state == ALIVE) return (int)i;
        }
    return NOT_FOUND;
}

bool search_greedy(const struct space *space, const struct search_options *options,
    struct arena *arena, struct finding *out, struct error *err) {
    struct board board;
    if (!board_open(&board, space, options, arena, err)) return false;
    int at = start(&board), before = NOT_FOUND;
    while (at != before && at != NOT_FOUND) {
        before = at;
        for (size_t i = 0; i < space->count; i++)
            if (space_distance(space, i, (size_t)before) == 1 && !in_full(&board, i))
                return board_close(&board, out, err);
        at = board_leader(&board, ALIVE);
    }
    return board_close(&board, out, err);
}
