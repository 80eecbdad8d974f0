// SPDX-License-Identifier: Apache-2.0
// The command's view of a run of mutants: its kernels, its journal, and its output.
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
    struct json_object *kernels; // finished kernels, as they are in the result
    struct mutant_target *targets;
    size_t target_count;
    int jobs;
    int64_t began_ns;
};

// Makes a target for each kernel of the plan.
void mutate_group(struct mutate_run *run, const struct plan *plan);

// Begins the journal, or takes finished kernels from it and drops their targets. A journal of another seed, device or
// choice is refused.
bool mutate_resume(struct mutate_run *run, const struct mutant_request *request, struct error *err);

// Hooks of the session; `user` is the run.
void mutate_done(void *user, struct mutant_target *target);
void mutate_progress(void *user, const struct mutant_target *target, size_t mutants, size_t targets);

// Writes and prints the result.
bool mutate_finish(struct mutate_run *run, bool whole, enum status *status, struct error *err);
void mutate_release(struct mutate_run *run);

#endif
