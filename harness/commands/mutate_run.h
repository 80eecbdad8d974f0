// SPDX-License-Identifier: Apache-2.0
// The command's view of a run of mutants: its kernels with their mutants, the plan, and the output.
#ifndef VKASSAY_COMMANDS_MUTATE_RUN_H
#define VKASSAY_COMMANDS_MUTATE_RUN_H

#include "../engine/mutate/mutant.h"
#include "prepare.h"

// A kernel to break.
struct mutate_target {
    const struct kernel *kernel;
    const struct point *points; // the points of its check
    size_t point_count;
    struct arena arena; // of the members below
    struct mutant_list list;
    struct mutant_set set; // of the legal ones
    const char *reason;    // why there are no mutants; NULL: there are
};

struct mutate_run {
    struct arena *arena;
    const struct options *options;
    struct prepared prepared;
    const char *folder;
    struct json_object *context; // of the result
    struct mutate_target *targets;
    size_t target_count;
    int jobs;
};

// Makes a target for each kernel of the plan.
void mutate_group(struct mutate_run *run, const struct plan *plan);
// Chooses the mutants of all targets, on several cores, and plans them.
void mutate_choose(
    struct mutate_run *run, const struct device_info *device, const struct run_options *options, struct plan *plan);

// Writes and prints the result.
bool mutate_finish(struct mutate_run *run, const struct outcome *outcome, enum status *status, struct error *err);
void mutate_release(struct mutate_run *run);

#endif
