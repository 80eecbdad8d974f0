// SPDX-License-Identifier: Apache-2.0
// The check of one point: poison, run, guards, unchanged inputs, judgement, and a second run for equal bits.
#ifndef VKASSAY_CHECK_CHECK_H
#define VKASSAY_CHECK_CHECK_H

#include "launch.h"
#include "../program/program.h"
#include "stale_memory.h"
#include "shared_timer.h"
#include "inputs/truth.h"

#include <pthread.h>

struct record;

// The memory of a run. DISTURBED: outputs and scratch are poisoned, or disturbed after run 1. SCRATCH_KEPT: scratch is
// as the last run left it. AS_LEFT: so are outputs that are not read.
enum check_memory_of { CHECK_DISTURBED, CHECK_SCRATCH_KEPT, CHECK_AS_LEFT };

struct check_request {
    struct gpu *gpu;
    struct work *work;
    struct problem *problem;
    const struct launch *launch;
    const struct truth *truth;
    const struct point *point;
    struct policy policy;
    double timeout_s;
    const struct stale_memory *stale_memory; // fills shared memory and registers before a run; NULL: nothing does
    bool first_failure;                      // the check stops at the first failure
    const uint64_t *known; // hash of outputs already judged right; equal outputs are not judged again; NULL: none
    bool once;             // no second run if the first gives these outputs
    enum check_memory_of memory;
    double *ns;                 // receives the device's time of the dispatches, or NaN; NULL: not wanted
    bool packed;                // the second run has the operands in problem->packed, and folded grids
    bool unfolded;              // the second run has the grids of the first
    pthread_mutex_t *queue;     // locked while the device is used; NULL: nobody else uses it
    struct phase_timer *phases; // receives the time of each part; NULL: not recorded
    struct timer_share *share;  // the same, for one of several threads
};

// Runs the kernel twice and fills record->check. A wrong result sets the status to fail, with the reason. The second
// run has its operands packed at the least legal offsets if the problem has a packed buffer, and its grids
// folded (grid_fold_early). A kernel with varying bits (nondeterministic) has up to CHECK_RUNS runs, and each is
// judged. Its figures are from the run whose error came nearest to its bound. A kernel that asks for lengths runs once
// more (check_reaching). Returns false if the device failed.
bool check_point(const struct check_request *request, struct arena *arena, struct record *record, struct error *err);

// ---- parts of the check, for other callers ----

// Stages poisoned outputs, and inputs unless they are already placed; runs the kernel and reads back. Inputs are read
// back after run 1, a packed run 2 and the run of check_reaching.
bool check_run(const struct check_request *request, uint32_t run, struct error *err);
// Runs a variant once in the kernel's place, with its buffer (struct variation) cleared before, and reads the buffer.
bool check_observe(
    const struct check_request *request, const struct built *variant, uint32_t *words, size_t count, struct error *err);
// Checks the guards of buffers and scratch after a run. Checks for changed inputs if they were read back.
void check_memory(const struct check_request *request, uint32_t run, struct arena *arena, struct record *record);
// Keeps the outputs of run 1 in operand->got, and their hash in the record.
void check_take(const struct check_request *request, struct record *record);
// Returns the hash of the bits of all outputs in operand->got.
uint64_t check_hash(const struct problem *problem);
// Judges operand->got after a run without poison: against the first run's bits, or against the truth if the manifest
// says "nondeterministic".
void check_last(const struct check_request *request, struct arena *arena, struct record *record);
// Repeats the run if the shader asks for the length of a buffer, because such a binding must end with its data. Here
// every binding reaches over the guard behind it, and the shader is changed to see the same lengths. Only the guards
// are judged.
bool check_reaching(const struct check_request *request, struct arena *arena, struct record *record, struct error *err);
// Compares the outputs of a run, poisoned differently, with run 1. If they differ, it looks for words with the poison
// of both runs, because nothing wrote these.
void check_second_run(const struct check_request *request, uint32_t run, struct arena *arena, struct record *record);

#endif
