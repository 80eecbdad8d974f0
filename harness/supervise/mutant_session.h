// SPDX-License-Identifier: Apache-2.0
// Mutants of many kernels, by several workers on one device.
#ifndef VKASSAY_SUPERVISE_MUTANT_SESSION_H
#define VKASSAY_SUPERVISE_MUTANT_SESSION_H

#include "../mutate/mutant_kernel.h"
#include "supervise.h"

// A kernel that is to be broken, and what came of it.
struct mutant_target {
    const struct kernel *kernel;
    const struct point *points; // as its check would run them
    size_t point_count;
    // Filled in; in the target's own arena, which the caller frees.
    struct arena arena;
    struct mutant *mutants;
    size_t mutant_count;
    const char *reason; // why there are none, of one without points the caller's; NULL: there are
    const char *caveat; // what is to be known of their verdicts; NULL: nothing
    double seconds;     // of all workers together
    bool is_whole;      // no interrupt left any of them
};

struct mutant_session {
    const struct session *session; // program, device, kernels, options; its plan and journal are not looked at
    struct mutant_request request; // without points
    struct mutant_target *targets;
    size_t target_count;
    int jobs;
    // Called one at a time, from any thread: when a target is whole; and when a mutant is done, of which there are so
    // many of `total` (0: not known yet). May be NULL.
    void (*done)(void *user, struct mutant_target *target);
    void (*progress)(void *user, const struct mutant_target *target, size_t mutants, size_t targets);
    void *user;
};

// Runs all of them. A mutant that its worker is lost to is killed by that. False: an interrupt ended it.
bool mutants_supervise(struct mutant_session *session);

#endif
