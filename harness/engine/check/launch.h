// SPDX-License-Identifier: Apache-2.0
// The dispatches of a built kernel at given dims.
#ifndef VKASSAY_CHECK_LAUNCH_H
#define VKASSAY_CHECK_LAUNCH_H

#include "../program/program.h"
#include "inputs/problem_data.h"

// Ways to launch a kernel. PLAIN: as it is. PACKED: with all operands in one buffer, if the problem has such a
// buffer. REACHING: for kernels with requested lengths; all bindings reach over the guards, and the programs still
// see the true lengths.
enum launch_way { LAUNCH_PLAIN, LAUNCH_PACKED, LAUNCH_REACHING, LAUNCH_WAYS };

// One recorded dispatch.
struct launched {
    int pass;
    struct binding bindings[LAUNCH_WAYS][PROGRAM_BINDINGS]; // operands and scratch, then parameters
    uint64_t data[PROGRAM_BINDINGS];                        // bytes of the data bound, in whole words, without guards
    uint32_t words[KERNEL_BLOCKS][KERNEL_WORDS];
    uint64_t at[KERNEL_BLOCKS]; // of blocks in buffers: offset in their buffer
    int pushed;                 // index of the push constant block
    uint32_t groups[3];
    uint32_t folded[3]; // the grid of a folded run: grid_fold_early
};

// The state of all dispatches of a kernel. It owns the scratch buffers.
struct launch {
    const struct problem *problem;
    const struct program *programs[LAUNCH_WAYS][KERNEL_PASSES];
    struct launched *dispatches;
    int dispatch_count;
    struct binding zeroed[LAUNCH_WAYS][OPERATOR_OPERANDS + KERNEL_SCRATCH]; // before the first dispatch
    int zeroed_count;
    struct buffer zero;                     // a word of zeros
    bool has_reaching, leaves_early, folds; // folds: a dispatch has another grid in a folded run
    struct barrier_share skipped;           // a barrier that only some invocations reach
    struct reads_back reads_back;
    struct buffer uniforms, storage;        // of parameters; zero if there are none
    struct buffer scratch[KERNEL_SCRATCH];  // guard, data, guard
    uint64_t scratch_bytes[KERNEL_SCRATCH]; // of the data
    int scratch_count;
    struct buffer scratch_guards; // for reading the guards back; zero without scratch
};
bool launch_prepare(struct gpu *gpu, const struct point *point, const struct problem *problem,
    const struct built *built, struct launch *launch, struct error *err);
void launch_release(struct gpu *gpu, struct launch *launch);

// Records the clearing of buffers that the host clears before the first dispatch.
void launch_record_zeros(struct work *work, const struct launch *launch, enum launch_way way);
// Records every dispatch after that, each followed by a barrier. `folded`: in the grids of a folded run.
bool launch_record(struct gpu *gpu, struct work *work, const struct launch *launch, enum launch_way way, bool folded,
    struct error *err);

#endif
