// SPDX-License-Identifier: Apache-2.0
// Random search, the tolerance of every other: shapes drawn by chance without return, each in full,
// until the limit.
#include "candidates.h"
#include "strategies.h"

bool search_random(const struct space *space, const struct search_options *options, struct arena *arena,
    struct finding *out, struct error *err) {
    struct candidates candidates;
    if (!candidates_open(&candidates, space, options, arena, err)) return false;
    size_t *order = arena_alloc(arena, space->count + 1, sizeof *order);
    for (size_t i = 0; i < space->count; i++) order[i] = i;
    candidates_shuffle(&candidates, order, space->count);
    for (size_t i = 0; i < space->count; i++)
        for (size_t n = 0; n < candidates.options.least; n++)
            if (!candidates_ask(&candidates, order[i])) return candidates_close(&candidates, out, err);
    return candidates_close(&candidates, out, err);
}
