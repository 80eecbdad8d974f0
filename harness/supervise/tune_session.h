// SPDX-License-Identifier: Apache-2.0
// The search for shapes on a device: case by case, a strategy asks a worker for samples.
#ifndef VKASSAY_SUPERVISE_TUNE_SESSION_H
#define VKASSAY_SUPERVISE_TUNE_SESSION_H

#include "../tune/search.h"
#include "supervise.h"

// A case that was searched, for whoever tells about it.
struct tuned_case {
    const char *name; // kernel/dtype/dims
    const char *strategy;
    size_t product, legal; // shapes: of all values, of those that can run here
    size_t tried, wrong, samples, neighbours;
    double seconds;
    bool stopped;                            // by the budget, before the strategy had come to its end
    const char *best, *runner_up, *standard; // "wg=64x1x1"; NULL: none
    double best_ns, lo_ns, hi_ns;
    double runner_up_loss, standard_loss; // 0.1: a tenth slower than the best; NaN: not timed
    int ties;
};

struct tuning {
    const struct strategy *strategy; // NULL: exhaustive for few shapes, race for more
    // Called after each case; may be NULL.
    void (*told)(void *user, const struct tuned_case *one);
    void *user;
};

// The session's plan holds the shapes of each case. The outcome's records are those of the shapes
// that were tried, with all their samples; $.run.tuning of its context says how each case was
// searched. A budget is shared out among the cases that are left. An interrupt or a lost worker
// costs no case that is done: --resume takes the rest. A choice that is wrong at neighbouring dims
// fails, with the dims in its reason, and the next best takes its place.
bool supervise_tune(
    struct arena *arena, struct session *session, const struct tuning *tuning, struct outcome *out, struct error *err);

#endif
