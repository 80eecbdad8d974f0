// SPDX-License-Identifier: Apache-2.0
#include "replay_shown.h"

#include <math.h>

static const double most_slower = 3, cold_start_ns = 20e3; // of a single dispatch on an idle device
static const double most_load = 0.95;                      // beyond it, the counters are too coarse for the rest

bool replay_is_slower(double ns, double timed_ns) {
    return ns > most_slower * timed_ns + cold_start_ns;
}

bool replay_shown(const struct replay_times *t) {
    const double explained = t->load > 0 ? 1 / (1 - fmin(t->load, most_load)) : 1;
    return replay_is_slower(t->fresh_ns, t->timed_ns) && !replay_is_slower(t->again_ns, t->timed_ns) &&
           t->fresh_ns > most_slower * explained * t->again_ns;
}
