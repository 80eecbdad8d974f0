// SPDX-License-Identifier: Apache-2.0
// Runs mutants of many kernels by several workers on one device.
#ifndef VKASSAY_SUPERVISE_MUTANT_SESSION_H
#define VKASSAY_SUPERVISE_MUTANT_SESSION_H

#include "../mutate/mutant_kernel.h"
#include "supervise.h"

// A kernel to break, and the results.
struct mutant_target {
    const struct kernel *kernel;
    const struct point *points; // the points of its check
    size_t point_count;
    // Filled in, in the target's own arena; the caller frees the arena.
    struct arena arena;
    struct mutant *mutants;
    size_t mutant_count;
    const char *reason; // why there are no mutants; the caller's text if there are no points. NULL: there are mutants
    const char *caveat; // a caveat on their verdicts; NULL: none
    double seconds;     // of all workers together
    bool is_whole;      // no mutant was left out by an interrupt
};

struct mutant_session {
    const struct session *session; // for program, device, kernels, options; its plan and journal are not used
    struct mutant_request request; // without points
    struct mutant_target *targets;
    size_t target_count;
    int jobs;
    // Both are called one at a time, from any thread: `done` when a target is whole, `progress` when a mutant is
    // done. `mutants` and `targets` count the work done so far. May be NULL.
    void (*done)(void *user, struct mutant_target *target);
    void (*progress)(void *user, const struct mutant_target *target, size_t mutants, size_t targets);
    void *user;
};

// Runs all mutants. A mutant counts as killed if its worker is lost to it. Returns false if an interrupt ended it.
bool mutants_supervise(struct mutant_session *session);

#endif
