// SPDX-License-Identifier: Apache-2.0
// A kernel and its mutants: points with operands and references, and modules for each type and shape. Mutants run one
// after another. For one device and one thread.
#ifndef VKASSAY_MUTATE_MUTANT_KERNEL_H
#define VKASSAY_MUTATE_MUTANT_KERNEL_H

#include "../run/run.h"
#include "mutant.h"

enum { MUTANT_POINTS = 4096 }; // at most
struct mutant_request {
    const struct point *points; // points of one kernel, as its check would run them; borrowed
    size_t point_count;
    uint64_t seed;           // of the choice
    int count;               // how many to choose; 0: all
    const char *const *only; // globs over names of mutations; none: all
    size_t only_count;
    const char *named; // only the mutant of this name; NULL: choose
};

struct mutant_kernel;

// Chooses the mutants without running any. `options` and the request are borrowed. Set `lines` of the options, or
// mutants have no lines. NULL: the kernel's shaders do not build, or are invalid. A module newer than this build's
// SPIRV-Tools is not validated, nor are its mutants: see mutant_kernel_caveat.
struct mutant_kernel *mutant_kernel_open(
    struct gpu *gpu, const struct run_options *options, const struct mutant_request *request, struct error *err);
void mutant_kernel_close(struct mutant_kernel *kernel); // accepts NULL

// Returns the chosen mutants in their order; the kernel owns them. Only invalid ones have a verdict yet.
const struct mutant *mutant_kernel_list(const struct mutant_kernel *kernel, size_t *count);

// Returns a caveat about their verdicts, owned by the kernel; NULL: none.
const char *mutant_kernel_caveat(const struct mutant_kernel *kernel);

// Runs a mutant and fills in its outcome, with strings in the arena. False: the device is no longer usable. This
// kills the mutant, unless it had not begun. `alive` (may be NULL) is called before each point: with false before the
// unchanged kernel runs, with true before the mutant runs.
bool mutant_kernel_run(struct mutant_kernel *kernel, size_t index, struct arena *arena, struct mutant *out,
    void (*alive)(void *user, bool broken), void *user);

// Counts a kill at this point. The supervisor calls it after losing a worker, for a mutant killed before. Points with
// more kills are tried first.
void mutant_kernel_killed(struct mutant_kernel *kernel, const char *point);

#endif
