// SPDX-License-Identifier: Apache-2.0
#include "replay_shown.h"

#include "../../truth/stats/ratio.h"

#include <math.h>

static const double most_slower = 3, cold_start_ns = 20e3; // of a single dispatch on an idle device

bool replay_is_slower(double ns, double timed_ns) {
    return ns > most_slower * timed_ns + cold_start_ns;
}

bool replay_shown(const struct replay_times *t) {
    const double explained = fmax(1, ratio_of_load(t->load)); // 1 if the load is unknown
    return replay_is_slower(t->fresh_ns, t->timed_ns) && !replay_is_slower(t->again_ns, t->timed_ns) &&
           t->fresh_ns > most_slower * explained * t->again_ns;
}
