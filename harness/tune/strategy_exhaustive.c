// SPDX-License-Identifier: Apache-2.0
// Every shape in full. Shapes take turns, so that a clock that drifts meets all of them alike, in
// groups that a device can hold compiled.
#include "candidates.h"
#include "strategies.h"

enum { TURNS = 32 }; // shapes that take turns

bool search_exhaustive(const struct space *space, const struct search_options *options, struct arena *arena,
    struct finding *out, struct error *err) {
    struct candidates candidates;
    bool go_on = candidates_open(&candidates, space, options, arena, err);
    if (!go_on) return false;
    for (size_t first = 0; go_on && first < space->count; first += TURNS) {
        size_t end = first + TURNS < space->count ? first + TURNS : space->count;
        for (size_t n = 0; go_on && n < candidates.options.least; n++)
            for (size_t i = first; go_on && i < end; i++) go_on = candidates_ask(&candidates, i);
    }
    return candidates_close(&candidates, out, err);
}
