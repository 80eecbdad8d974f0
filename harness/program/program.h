// SPDX-License-Identifier: Apache-2.0
// A kernel built for a shape: its passes compiled, and their dispatches recorded.
#ifndef VKASSAY_RUN_PROGRAM_H
#define VKASSAY_RUN_PROGRAM_H

#include "../spirv/barriers_skipped.h"
#include "../judge/judge.h"
#include "../check/inputs/problem_data.h"
#include "../run/run.h"
#include "shaders.h"
#include "../timing/timing.h"

struct built {
    uint64_t key; // of kernel, dtype and shape
    struct program *passes[KERNEL_PASSES];
    int pass_count;
    struct policy policy;                           // what every pass declares, for the types it computes in
    bool parts;                                     // as shader_interface has it, of any pass
    struct barrier_share skipped;                   // of any pass
    bool measured[KERNEL_PASSES][PROGRAM_BINDINGS]; // a pass asks for the length of the buffer it has there
    // Where any length is asked for: bytes by which such bindings can reach over the guards behind their data, and
    // passes that are told lengths without these (NULL: as in `passes`). 0: there is no such way to run it.
    uint32_t overreach;
    struct program *told[KERNEL_PASSES];
    uint64_t source_hash; // of manifest and preprocessed shaders
    int64_t compile_ns;   // what building cost
    bool charged;         // to the point that first used it
    bool spoken_of;       // by the validation layer: it is made anew for each point, and spoken of again
    uint64_t last_used;
    uint64_t serial; // no other that was ever built has it
};

// Built kernels are kept for later points of the same kernel and shape at other dims. lavapipe spends about a megabyte
// on each, hence no more.
enum { BUILT_KEPT = 2 * RUNNER_PREFILL };
struct workshop {
    struct built built[BUILT_KEPT];
    uint64_t uses;
};

// The built kernel of a point, from the workshop or made now; it stays valid while at most
// RUNNER_PREFILL others are asked for.
// *made tells whether it was made for this call. NULL: ERROR_COMPILE or a device error.
const struct built *workshop_build(struct workshop *workshop, struct gpu *gpu, const struct run_options *options,
    const struct point *point, bool *made, struct error *err);
// Builds what these points need and the workshop lacks, the first RUNNER_PREFILL of it, on all cores. What does not
// build is left for workshop_build to say so; where that leaves the device of no use (gpu_is_over), it is false with
// the index of the point, and nothing more is begun.
bool workshop_prefill(struct workshop *workshop, struct gpu *gpu, const struct run_options *options,
    const struct point *points, size_t count, const struct prefill_watch *phases, size_t *culprit, struct error *err);
// The built kernel of a point from shaders that were changed since `sound` was built of them: where `changed` is set
// the pass is made anew, else it is that of `sound`, which must outlive it. Nothing is held against the manifest.
bool built_vary(struct gpu *gpu, const struct point *point, const struct loaded loaded[KERNEL_PASSES],
    const bool changed[KERNEL_PASSES], const struct built *sound, struct built *out, struct error *err);
void built_vary_release(struct gpu *gpu, const bool changed[KERNEL_PASSES], struct built *built);
// Makes the program of one pass with its loops watched (spirv/loop_ends.h); the word is bound at index *binding,
// behind the bindings of the pass. *out is NULL where the pass has no loop; the caller destroys it. ERROR_SKIP: it
// cannot be.
bool program_watching(struct arena *arena, struct gpu *gpu, const struct point *point, int index,
    const struct loaded *loaded, struct program **out, int *binding, struct error *err);
void workshop_close(struct gpu *gpu, struct workshop *workshop);

// How a kernel is launched: as it is; with its operands in one buffer, where the problem has that too; or, where a
// length is asked for, as programs that are told true lengths, with bindings that all reach over the guards.
enum launch_way { LAUNCH_PLAIN, LAUNCH_PACKED, LAUNCH_REACHING, LAUNCH_WAYS };

// One dispatch, as it is recorded.
struct launched {
    int pass;
    struct binding bindings[LAUNCH_WAYS][PROGRAM_BINDINGS]; // operands and scratch, then parameters
    uint32_t words[KERNEL_BLOCKS][KERNEL_WORDS];
    uint64_t at[KERNEL_BLOCKS]; // of blocks that are not pushed: where they stand in their buffer
    int pushed;                 // the block that is
    uint32_t groups[3];
};

// What all dispatches of a kernel need. Scratch buffers belong to it.
struct launch {
    const struct problem *problem;
    const struct program *programs[LAUNCH_WAYS][KERNEL_PASSES];
    struct launched *dispatches;
    int dispatch_count;
    struct binding zeroed[LAUNCH_WAYS][OPERATOR_OPERANDS + KERNEL_SCRATCH]; // before the first
    int zeroed_count;
    struct buffer zero; // a word that is 0
    bool has_reaching, leaves_early;
    struct barrier_share skipped;           // a barrier that only so many come to
    struct buffer uniforms, storage;        // of parameters; zeroed where there are none
    struct buffer scratch[KERNEL_SCRATCH];  // guard, data, guard
    uint64_t scratch_bytes[KERNEL_SCRATCH]; // of the data
    int scratch_count;
    struct buffer scratch_guards; // for reading the guards back; zeroed without scratch
};
bool launch_prepare(struct gpu *gpu, const struct point *point, const struct problem *problem,
    const struct built *built, struct launch *launch, struct error *err);
void launch_release(struct gpu *gpu, struct launch *launch);

// Records every dispatch, each followed by a barrier.
bool launch_record(
    struct gpu *gpu, struct work *work, const struct launch *launch, enum launch_way way, struct error *err);
struct target launch_target(const struct launch *launch); // for timing, on the launch's own device

#endif
