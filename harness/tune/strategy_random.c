// SPDX-License-Identifier: Apache-2.0
// Random search, the yardstick of every other: shapes drawn by chance without return, each in full,
// until the limit.
#include "board.h"
#include "strategies.h"

bool search_random(const struct space *space, const struct search_options *options,
    struct arena *arena, struct finding *out, struct error *err) {
    struct board board;
    if (!board_open(&board, space, options, arena, err)) return false;
    size_t *order = arena_alloc(arena, space->count + 1, sizeof *order);
    if (!order) return error_set(err, STATUS_FAULT, "out of memory for %zu shapes", space->count);
    for (size_t i = 0; i < space->count; i++) order[i] = i;
    board_shuffle(&board, order, space->count);
    for (size_t i = 0; i < space->count; i++)
        for (size_t n = 0; n < board.options.least; n++)
            if (!board_ask(&board, order[i])) return board_close(&board, out, err);
    return board_close(&board, out, err);
}
