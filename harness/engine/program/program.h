// SPDX-License-Identifier: Apache-2.0
// A kernel built for a shape, with its compiled passes, and the launch that records its dispatches.
#ifndef VKASSAY_PROGRAM_PROGRAM_H
#define VKASSAY_PROGRAM_PROGRAM_H

#include "../../shader/spirv/analyses.h"
#include "../../truth/judge/judge.h"
#include "reads_back.h"
#include "shaders.h"
#include "../vulkan/gpu.h"

enum { GUARD_BYTES = 4096 }; // on both sides of every buffer: 1024 words

struct built {
    uint64_t key; // of kernel, dtype, shape, and dims if constants follow from them
    struct program *passes[KERNEL_PASSES];
    int pass_count;
    struct policy policy;         // declared by every pass, for the types it computes in
    bool parts;                   // true if shader_interface.parts is, in any pass
    struct barrier_share skipped; // in any pass
    bool waits;                   // a loop waits for other invocations, in any pass
    struct reads_back reads_back;
    bool measured[KERNEL_PASSES][PROGRAM_BINDINGS]; // the pass asks for the length of the buffer bound here
    // The bytes by which bindings with requested lengths can reach over the guards behind their data; 0: not
    // possible. Programs in `shortened` see lengths without these bytes. NULL: as in `passes`.
    uint32_t overreach;
    struct program *shortened[KERNEL_PASSES];
    bool shared[KERNEL_PASSES]; // of a variant: the programs are the kernel's own
    int behind[KERNEL_PASSES];  // of a variant that observes: index of its buffer, behind all other bindings; else 0
    uint64_t source_hash;       // of manifest and preprocessed shaders
    int64_t compile_ns;         // time to build it
    bool charged;               // to the point that used it first
    bool spoken_of; // the validation layer had messages; the kernel is rebuilt for each point to repeat them
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
// How a variant differs from its kernel.
struct variation {
    const bool *changed; // passes to rebuild; the others are shared with the kernel; NULL: all
    bool observes;       // rebuilt passes bind one more storage buffer, at program_slot_behind
};
// Builds a variant of `sound` from the shaders of all passes. `sound` must outlive the result; NULL: the variant shares
// nothing with it. The shaders are not compared with the manifest.
bool built_vary(struct gpu *gpu, const struct point *point, const struct loaded loaded[KERNEL_PASSES],
    struct variation variation, const struct built *sound, struct built *out, struct error *err);
void built_release(struct gpu *gpu, struct built *built); // accepts a zeroed one
// Describes the program of a pass, for callers that change its module.
void program_describe(const struct point *point, int index, const struct loaded *loaded,
    struct slot slots[PROGRAM_BINDINGS], struct program_desc *out);
// Returns a slot in set 0 behind all others of a pass, or false if the program has no room for one more.
bool program_slot_behind(const struct point *point, int index, struct slot *out);
void workshop_close(struct gpu *gpu, struct workshop *workshop);

#endif
