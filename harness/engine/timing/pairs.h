// SPDX-License-Identifier: Apache-2.0
// Two targets timed as pairs: sample i of one belongs to sample i of the other.
//
// The place of a recording in memory can change a short dispatch by some per cent, and is no merit of a target. So the
// pairs are taken in several sessions. Each records both targets anew, in the other order than the session before.
#ifndef VKASSAY_TIMING_PAIRS_H
#define VKASSAY_TIMING_PAIRS_H

#include "timing.h"

enum { PAIR_SESSIONS = 4, PAIR_MOST = 500 }; // most pairs of a session

struct pair_plan {
    struct timing_settings timing; // rule.seconds is for each target, over all sessions
    double effect;                 // a session stops once the ratio is known within a quarter of it
    size_t exactly;                // number of pairs in all; 0: as many as needed
    uint64_t seed;
    void (*before)(void *user); // called before each session
    void *user;
};

struct pair_times {
    double values[2][PAIR_SESSIONS * PAIR_MOST]; // nanoseconds of one dispatch, in the order taken
    size_t count;                                // of each target
    enum stop_reason stop;                       // of the last session
    struct sampler last[2];                      // with the interval and clock of the last session
    int failed;                                  // index of the target at which the device failed
};

// Returns false if the device failed. `out` may be large for the stack.
bool pairs_measure(
    const struct target targets[2], const struct pair_plan *plan, struct pair_times *out, struct error *err);

#endif
