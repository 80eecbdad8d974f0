// SPDX-License-Identifier: Apache-2.0
// State of a kernel with its mutants. Private to harness/engine/mutate.
#ifndef VKASSAY_MUTATE_MUTANT_PARTS_H
#define VKASSAY_MUTATE_MUTANT_PARTS_H

#include "../../base/memory.h"
#include "../check/launch.h"
#include "../../shader/manifest/shape.h"
#include "../check/check.h"
#include "../check/sanitized/sanitizer.h"
#include "../program/shaders.h"
#include "mutant_kernel.h"
#include "mutant_places.h"

// The kernel's modules for one type and shape.
struct mutant_variant {
    const struct point *point; // the first point that uses them
    size_t points;             // number of points that use them
    bool is_loaded, is_built;
    struct loaded loaded[KERNEL_PASSES];
    struct code_interface interface[KERNEL_PASSES];
    struct code code[KERNEL_PASSES];
    struct built sound;
    bool is_unmarkable;   // the reached blocks cannot be found
    struct built marked;  // with a mark in each block (mutant_coverage.c)
    struct mutant_block { // has an instruction of a mutant
        int pass;
        uint32_t label; // item of its label
    } * blocks;
    uint32_t block_count;
    struct sanitized_passes sanitized; // of the unchanged kernel
    bool is_noisy;                     // the sanitizer has findings about the unchanged kernel, or cannot handle it
    double first_s;                    // duration of its first run, including compilation by the driver
};

// A point with everything needed to run and judge it.
struct mutant_trial {
    const struct point *point;
    struct mutant_variant *variant;
    bool is_ready;
    const char *unusable; // reason to ignore it: the unchanged kernel fails there; NULL: usable
    struct problem problem;
    struct truth truth;
    uint64_t hash, values; // hashes of the unchanged kernel's outputs: all bits; values only (values_hash.h)
    bool steady;           // two runs had the same bits, and the manifest promises this
    enum { WHOLE_UNKNOWN, WHOLE_TELLS, WHOLE_VARIES } whole; // do its runs with whole numbers agree?
    uint64_t whole_values;                                   // hash of these runs, as `values`
    const uint32_t *reached;                                 // for each block, 0: it is not; NULL: unknown
    double seconds;
    int kills;
};

struct mutant_kernel {
    struct arena arena;
    const struct device_info *device;
    struct gpu *gpu;              // NULL: mutants are only listed
    const struct mutant_set *set; // NULL too
    const struct run_options *options;
    struct work *work;
    struct stale_memory *stale_memory;
    struct sanitizer *sanitizer; // NULL: not asked for
    struct mutant_variant *variants;
    size_t variant_count;
    struct mutant_trial *trials; // in planned order
    size_t trial_count;
};

// Lists the variants and trials of these points. False: the device cannot run any of them.
bool mutant_trials_list(struct mutant_kernel *kernel, const struct device_info *device,
    const struct run_options *options, const struct point *points, size_t count, struct error *err);
// Loads the variant's modules.
bool mutant_variant_load(struct mutant_kernel *kernel, struct mutant_variant *variant, struct error *err);

// Sets *same to whether the mutant and the kernel give the same values for whole-number inputs. It is false too if the
// kernel's own values then vary from run to run (trial->whole). Returns false if the mutant could not be run.
bool mutant_whole_same(struct mutant_kernel *kernel, struct mutant_trial *trial, const struct built *mutant, bool *same,
    struct error *err);
// Returns whether the instruction computes with whole numbers that are not data, such as indices and counts.
bool mutant_changes_indices(struct arena *arena, const struct code *code, uint32_t item);

// Finds the blocks of code that the trial reaches. False: the device is no longer usable.
bool mutant_trial_cover(struct mutant_kernel *kernel, struct mutant_trial *trial, struct error *err);
// Returns whether the trial reaches an instruction; true if unknown.
bool mutant_trial_reaches(const struct mutant_trial *trial, int pass, uint32_t item);

#endif
