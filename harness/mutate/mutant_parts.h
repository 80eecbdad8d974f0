// SPDX-License-Identifier: Apache-2.0
// What a kernel's mutants are run with. Private to harness/mutate.
#ifndef VKASSAY_MUTATE_MUTANT_PARTS_H
#define VKASSAY_MUTATE_MUTANT_PARTS_H

#include "../base/memory.h"
#include "../manifest/shape.h"
#include "../check/check.h"
#include "../program/shaders.h"
#include "mutant_kernel.h"
#include "mutant_places.h"

// The kernel's modules in one type and shape.
struct mutant_variant {
    const struct point *point; // the first that has them
    size_t points;             // how many do
    bool is_loaded, is_built;
    struct loaded loaded[KERNEL_PASSES];
    struct code_facts facts[KERNEL_PASSES];
    struct code code[KERNEL_PASSES];
    const char *text[KERNEL_PASSES]; // of SPIR-V; NULL: not asked for yet
    bool unknown[KERNEL_PASSES];     // SPIRV-Tools are older than what it uses
    struct built sound;
    bool is_unmarkable; // it cannot be told what is reached
    struct kernel marked_kernel;
    struct built marked;  // with a mark in each block (mutant_coverage.c)
    struct mutant_block { // that a mutant's instruction is in
        int pass;
        uint32_t label; // its item
    } * blocks;
    uint32_t block_count;
    double first_s; // what its first run took, compilation by the driver included
};

// A point with what it takes to run it and to judge it.
struct mutant_trial {
    const struct point *point;
    struct mutant_variant *variant;
    bool is_ready;
    const char *unusable; // why it tells nothing: the kernel as it is fails there; NULL: it does
    struct problem problem;
    struct truth truth;
    uint64_t hash, values; // of the outputs of the kernel as it is: their bits, and these but for NaNs' (values_hash.h)
    bool steady;           // they are the same twice, and by what the manifest says they always are
    enum { WHOLE_UNKNOWN, WHOLE_TELLS, WHOLE_VARIES } whole; // whether they are with whole numbers
    uint64_t whole_values;                                   // of these, as `values`
    bool *reached;                                           // which of the blocks are; NULL: not known
    double seconds;
    int kills;
};

struct mutant_kernel {
    struct arena arena;
    struct gpu *gpu;
    const struct run_options *options;
    const struct mutant_request *request;
    struct work *work;
    struct residue *residue;
    struct mutant_variant *variants;
    size_t variant_count;
    struct mutant_trial *trials; // as planned
    size_t trial_count;
    struct mutant_places places;
    struct mutant_variant **homes; // of each place: where it was found
    size_t home_count, home_capacity;
    struct mutant *mutants;
    const struct mutant_place **chosen; // of each mutant
    size_t mutant_count, mutant_capacity;
    const char *source_path, *source; // the file that was read last
    const char *caveat;               // what is to be known of the verdicts; NULL: nothing
};

// Makes the variant's modules.
bool mutant_variant_load(struct mutant_kernel *kernel, struct mutant_variant *variant, struct error *err);

// Makes the trial ready and runs the kernel there as it is; what it finds may be that the trial is unusable. False: the
// device is of no more use.
bool mutant_trial_ready(struct mutant_kernel *kernel, struct mutant_trial *trial, struct error *err);

// Whether the mutant gives the values of the kernel as it is when the inputs are whole numbers; not so either where the
// kernel's own differ then from run to run (trial->whole). False: it could not be run.
bool mutant_whole_same(struct mutant_kernel *kernel, struct mutant_trial *trial, const struct built *mutant, bool *same,
    struct error *err);
// Whether the instruction computes with whole numbers that are no data, as indices and counts are.
bool mutant_changes_indices(struct arena *arena, const struct code *code, uint32_t item);

// Finds out which blocks of the code are reached there. False: the device is of no more use.
bool mutant_trial_cover(struct mutant_kernel *kernel, struct mutant_trial *trial, struct error *err);
// Whether an instruction is reached there, as far as is known.
bool mutant_trial_reaches(const struct mutant_trial *trial, int pass, uint32_t item);

#endif
