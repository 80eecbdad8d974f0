// SPDX-License-Identifier: Apache-2.0
// A run of mutants as the command sees it: its kernels, its journal, what it prints and writes.
#ifndef VKASSAY_COMMANDS_MUTATE_RUN_H
#define VKASSAY_COMMANDS_MUTATE_RUN_H

#include "../supervise/mutant_session.h"
#include "prepare.h"

struct mutate_run {
    struct arena *arena;
    const struct options *options;
    const struct device_info *device;
    struct prepared prepared;
    const char *folder;
    struct json_object *context; // of the result
    struct json_object *kernels; // those that are done, as the result has them
    struct mutant_target *targets;
    size_t target_count;
    int jobs;
    int64_t began_ns;
};

// A target for each kernel of the plan.
void mutate_group(struct mutate_run *run, const struct plan *plan);

// Begins the journal, or takes from it the kernels that are done: their targets are dropped. Those of another seed,
// device or choice are refused.
bool mutate_resume(struct mutate_run *run, const struct mutant_request *request, struct error *err);

// Hooks of the session; `user` is the run.
void mutate_done(void *user, struct mutant_target *target);
void mutate_progress(void *user, const struct mutant_target *target, size_t mutants, size_t targets);

// Writes and prints what there is.
bool mutate_finish(struct mutate_run *run, bool whole, enum status *status, struct error *err);
void mutate_release(struct mutate_run *run);

#endif
