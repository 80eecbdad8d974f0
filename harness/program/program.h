// SPDX-License-Identifier: Apache-2.0
// A kernel built for a shape, with its compiled passes, and the launch that records its dispatches.
#ifndef VKASSAY_PROGRAM_PROGRAM_H
#define VKASSAY_PROGRAM_PROGRAM_H

#include "../spirv/barriers_skipped.h"
#include "../judge/judge.h"
#include "reads_back.h"
#include "shaders.h"
#include "../device/gpu.h"

enum { GUARD_BYTES = 4096 }; // on both sides of every buffer: 1024 words

struct built {
    uint64_t key; // of kernel, dtype and shape
    struct program *passes[KERNEL_PASSES];
    int pass_count;
    struct policy policy;         // declared by every pass, for the types it computes in
    bool parts;                   // true if shader_interface.parts is, in any pass
    struct barrier_share skipped; // in any pass
    bool waits;                   // a loop waits for other invocations, in any pass
    struct reads_back reads_back;
    bool measured[KERNEL_PASSES][PROGRAM_BINDINGS]; // the pass asks for the length of the buffer bound here
    // The bytes by which bindings with requested lengths can reach over the guards behind their data; 0: not
    // possible. Programs in `told` see lengths without these bytes. NULL: as in `passes`.
    uint32_t overreach;
    struct program *told[KERNEL_PASSES];
    uint64_t source_hash; // of manifest and preprocessed shaders
    int64_t compile_ns;   // time to build it
    bool charged;         // to the point that used it first
    bool spoken_of;       // the validation layer had messages; the kernel is rebuilt for each point to repeat them
    uint64_t last_used;
    uint64_t serial; // unique among all kernels ever built
};

// Shaders are built ahead for at most so many points.
enum { RUNNER_PREFILL = 128 };
// Called around the building of a point's shaders, with its index, from several threads at once.
struct prefill_watch {
    void (*begin)(void *user, size_t index), (*end)(void *user, size_t index);
    void *user;
};

// Keeps built kernels for later points of the same kernel and shape at other dims. Their number is limited, because
// lavapipe needs about a megabyte for each.
enum { BUILT_KEPT = 2 * RUNNER_PREFILL };
struct workshop {
    struct built built[BUILT_KEPT];
    uint64_t uses;
};

// Returns the built kernel of a point, cached or newly built. It stays valid while at most RUNNER_PREFILL others are
// requested. *made: the kernel was built for this call. NULL: ERROR_COMPILE or a device error.
const struct built *workshop_build(struct workshop *workshop, struct gpu *gpu, const struct run_options *options,
    const struct point *point, bool *made, struct error *err);
// Builds kernels that these points need and the workshop lacks, at most RUNNER_PREFILL, on all cores. A failed build
// is reported later by workshop_build. Returns false if a build left the device unusable (gpu_is_over); *culprit is
// then the index of its point, and no further build begins.
bool workshop_prefill(struct workshop *workshop, struct gpu *gpu, const struct run_options *options,
    const struct point *points, size_t count, const struct prefill_watch *phases, size_t *culprit, struct error *err);
// Builds a variant of `sound` from changed shaders. Passes marked in `changed` are rebuilt; the others are shared
// with `sound`, which must outlive the result. The shaders are not compared with the manifest.
bool built_vary(struct gpu *gpu, const struct point *point, const struct loaded loaded[KERNEL_PASSES],
    const bool changed[KERNEL_PASSES], const struct built *sound, struct built *out, struct error *err);
void built_vary_release(struct gpu *gpu, const bool changed[KERNEL_PASSES], struct built *built);
// Describes the program of a pass, for callers with a changed module.
void program_describe(const struct point *point, int index, const struct loaded *loaded,
    struct slot slots[PROGRAM_BINDINGS], struct program_desc *out);
// Returns a slot in set 0 behind all others, or false if the program has no room for one more.
bool program_slot_behind(const struct slot *slots, int count, struct slot *out);
// Builds the program of one pass with its loops watched (spirv/loop_ends.h). The watching word is bound at index
// *binding, behind the bindings of the pass. The caller destroys *out; NULL: the pass has no loop. ERROR_SKIP: the
// loops cannot be watched.
bool program_watching(struct arena *arena, struct gpu *gpu, const struct point *point, int index,
    const struct loaded *loaded, struct program **out, int *binding, struct error *err);
void workshop_close(struct gpu *gpu, struct workshop *workshop);

#endif
