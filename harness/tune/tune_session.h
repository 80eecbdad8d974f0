// SPDX-License-Identifier: Apache-2.0
// The search for shapes on a device: for each case, a strategy asks a worker for samples.
#ifndef VKASSAY_SUPERVISE_TUNE_SESSION_H
#define VKASSAY_SUPERVISE_TUNE_SESSION_H

#include "search.h"
#include "../engine/supervise/supervise.h"

// A searched case, for progress reports.
struct tuned_case {
    const char *name; // kernel/dtype/dims
    const char *strategy;
    size_t product, legal; // shapes: all combinations of values; the runnable ones
    size_t tried, wrong, samples, neighbours;
    double seconds;
    bool stopped;                            // by the budget, before the strategy had finished
    const char *best, *runner_up, *standard; // "wg=64x1x1"; NULL: none
    double best_ns, lo_ns, hi_ns;
    double runner_up_loss, standard_loss; // 0.1: a tenth slower than the best; NaN: not timed
    int ties;
};

struct tuning {
    const struct strategy *strategy; // NULL: exhaustive for few shapes, race for more
    // Called after each case; may be NULL.
    void (*report)(void *user, const struct tuned_case *one);
    void *user;
};

// Searches the cases of the session's plan, whose points are the shapes of each case. The outcome has the records of
// all tried shapes with all samples; $.run.tuning of its context describes each search. A budget is shared out among
// the remaining cases. An interrupt or a lost worker costs no finished case; --resume continues with the rest. If a
// choice is wrong at neighbouring dims, it fails, with the dims in its reason, and the next best replaces it.
bool supervise_tune(
    struct arena *arena, struct session *session, const struct tuning *tuning, struct outcome *out, struct error *err);
extern const struct kind kind_tuning; // $.run.tuning

#endif
