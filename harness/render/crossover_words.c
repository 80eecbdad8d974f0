// SPDX-License-Identifier: Apache-2.0
#include "crossover_words.h"

#include "format.h"

#include <math.h>

void put_crossover(struct text *out, const char *what, enum crossover found, const char *at) {
    switch (found) {
    case CROSSOVER_ALWAYS:
        text_format(out, "%s: GPU faster at every size measured", what);
        break;
    case CROSSOVER_NEVER:
        text_format(out, "%s: scalar reference faster at the largest size measured", what);
        break;
    case CROSSOVER_AT:
        text_format(out, "%s: GPU faster from about %s on", what, at);
        break;
    case CROSSOVER_NONE:
        text_format(out, "%s: not measured", what);
        break;
    }
}

double reference_ns(const struct view_case *c) {
    for (size_t i = 0; i < c->count; i++)
        if (measured(c->records[i]->reference.ns)) return c->records[i]->reference.ns;
    return NAN;
}
