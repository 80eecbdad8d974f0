// SPDX-License-Identifier: Apache-2.0
// A kernel whose mutants run one after another: points with operands and references, and modules for each type and
// shape. For one device and one thread.
#ifndef VKASSAY_MUTATE_MUTANT_KERNEL_H
#define VKASSAY_MUTATE_MUTANT_KERNEL_H

#include "../run/run.h"

struct mutant_kernel;

// Opens the kernel of these mutants; the set and the options are borrowed.
struct mutant_kernel *mutant_kernel_open(
    struct gpu *gpu, const struct run_options *options, const struct mutant_set *set, struct error *err);
void mutant_kernel_close(struct mutant_kernel *kernel); // accepts NULL

// Runs a mutant of the set and fills its record, with strings in the arena; a kill is a failure. Trials with more kills
// are run first. False: the device is no longer usable. `alive` (may be NULL) is called before each trial: with 0
// before the unchanged kernel runs, with 1 before the mutant runs.
bool mutant_kernel_run(struct mutant_kernel *kernel, const struct point *mutant, struct arena *arena,
    struct record *out, void (*alive)(void *user, size_t broken), void *user);

#endif
