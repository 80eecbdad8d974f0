// SPDX-License-Identifier: Apache-2.0
#include "strategies.h"

#include <string.h>

const struct strategy strategies[] = {
    {"race", "interleaved rounds that losers drop out of", search_race},
    {"exhaustive", "every shape in full", search_exhaustive},
    {"random", "shapes drawn by chance, each in full", search_random},
    {"greedy", "from the default to the best neighbour, until none is better", search_greedy},
    {0},
};

const struct strategy *strategy_named(const char *name) {
    for (const struct strategy *s = strategies; s->name; s++)
        if (strcmp(s->name, name) == 0) return s;
    return NULL;
}
