// SPDX-License-Identifier: Apache-2.0
// Decides by times alone whether a kernel keeps results of earlier runs. Private to harness/engine/run.
#ifndef VKASSAY_RUN_REPLAY_SHOWN_H
#define VKASSAY_RUN_REPLAY_SHOWN_H

#include <stdbool.h>

// Times of single runs of a timed kernel.
struct replay_times {
    double timed_ns;           // median of its samples
    double fresh_ns, again_ns; // fastest run with something new, and fastest one that repeats it
    double load;               // share of a CPU device's cores taken by others meanwhile; NaN: unknown, or no CPU
};

// Returns whether a run takes far longer than the timed ones. A single run starts on an idle device, so its time alone
// shows nothing.
bool replay_is_slower(double ns, double timed_ns);

// Returns whether the kernel keeps results. Its fresh runs must take three times as long as the others, and longer by
// the factor that the load explains. Repeated runs must be as fast as the timed ones: if they are not either, something
// else slows both.
bool replay_shown(const struct replay_times *times);

#endif
