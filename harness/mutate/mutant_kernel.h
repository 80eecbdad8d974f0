// SPDX-License-Identifier: Apache-2.0
// A kernel that is to be broken: its points with their operands and references, its modules for each type and shape,
// and one mutant after another run against them. For one device and one thread.
#ifndef VKASSAY_MUTATE_MUTANT_KERNEL_H
#define VKASSAY_MUTATE_MUTANT_KERNEL_H

#include "../run/run.h"
#include "mutant.h"

enum { MUTANT_POINTS = 4096 }; // the most that are taken
struct mutant_request {
    const struct point *points; // of one kernel, as its check would run them; borrowed
    size_t point_count;
    uint64_t seed;           // of the choice
    int count;               // how many to choose; 0: all
    const char *const *only; // globs over mutations' names; none: all
    size_t only_count;
    const char *named; // the mutant of this name alone; NULL: choose
};

struct mutant_kernel;

// Chooses the mutants; nothing is run. `options` and the request are borrowed. `lines` of the options should be set, or
// mutants have none. NULL: the kernel's shaders do not build, or do not validate as they are. A module that is newer
// than this build's SPIRV-Tools is not validated, nor are its mutants: see mutant_kernel_caveat.
struct mutant_kernel *mutant_kernel_open(
    struct gpu *gpu, const struct run_options *options, const struct mutant_request *request, struct error *err);
void mutant_kernel_close(struct mutant_kernel *kernel); // accepts NULL

// Those chosen, in their order, without verdicts but for invalid ones; they stay the kernel's.
const struct mutant *mutant_kernel_list(const struct mutant_kernel *kernel, size_t *count);

// What is to be known of their verdicts, in words that stay the kernel's; NULL: nothing.
const char *mutant_kernel_caveat(const struct mutant_kernel *kernel);

// Runs one, and fills what becomes of it; strings in the arena. False: the device is of no more use; the mutant is
// killed by that, unless it had not begun. `alive` (may be NULL) is called before each point: with false before the
// kernel is run as it is, with true before the mutant is.
bool mutant_kernel_run(struct mutant_kernel *kernel, size_t index, struct arena *arena, struct mutant *out,
    void (*alive)(void *user, bool broken), void *user);

// Points in the order in which they are tried: those that killed before come first. The supervisor's part of that,
// after a worker was lost: this point killed another.
void mutant_kernel_killed(struct mutant_kernel *kernel, const char *point);

#endif
