// SPDX-License-Identifier: Apache-2.0
// The check of one point: poison, run, guards, inputs unchanged, judge, and a second run for equal bits.
#ifndef VKASSAY_RUN_CHECK_H
#define VKASSAY_RUN_CHECK_H

#include "../record/record.h"
#include "../program/program.h"
#include "residue.h"
#include "shared_timer.h"
#include "inputs/truth.h"

#include <pthread.h>

struct check_request {
    struct gpu *gpu;
    struct work *work;
    struct problem *problem;
    const struct launch *launch;
    const struct truth *truth;
    const struct point *point;
    struct policy policy;
    double timeout_s;
    const struct residue *residue; // what is left for the kernel to find; NULL: nothing
    bool first_failure;            // nothing more is looked at once something is wrong
    const uint64_t *known;      // hash of outputs that were judged and held: the same are not judged again; NULL: none
    bool once;                  // and where the first run gives these there is no second
    bool packed;                // the second run has the operands in problem->packed
    pthread_mutex_t *queue;     // held while the device is used; NULL: nobody else uses it
    struct phase_timer *phases; // what the time goes to; NULL: whatever it does anyway
    struct timer_share *share;  // the same, of a thread among others
};

// Runs the kernel twice, the second time with its operands packed at the least legal offsets where the problem has a
// place for that, and fills record->check; a wrong result sets the status to fail with the reason. A kernel that says
// that its bits may differ from run to run has up to CHECK_RUNS, each of them judged; the figures are those of the one
// whose error came nearest to its bound. One that asks for lengths is run once more (check_reaching). False: the device
// failed.
bool check_point(const struct check_request *request, struct arena *arena, struct record *record, struct error *err);

// ---- the parts of it, for whoever judges by himself ----

// Stages inputs (where they are not placed) and poisoned outputs, runs the kernel and reads back; run 1 with the
// inputs, and run 2 too where it is packed.
bool check_run(const struct check_request *request, uint32_t run, struct error *err);
// Guards of buffers and scratch after that run, and whether the inputs are unchanged where they were read back.
void check_memory(const struct check_request *request, uint32_t run, struct arena *arena, struct record *record);
// After run 1: keeps the outputs in operand->got, and their hash in the record.
void check_take(const struct check_request *request, struct record *record);
// The hash of the bits of all outputs as they are kept in operand->got.
uint64_t check_hash(const struct problem *problem);
// Judges what is kept there, of a run that was not poisoned: against the first run's bits, or against the request's
// truth where the manifest allows other bits ("nondeterministic").
void check_last(const struct check_request *request, struct arena *arena, struct record *record);
// Where the shader asks for the length of a buffer, whose binding must then end with its data: one more run, of the
// shader made to see the same lengths while every binding reaches over the guard behind it. Only the guards are judged.
bool check_reaching(const struct check_request *request, struct arena *arena, struct record *record, struct error *err);
// After a run with another poison: whether its outputs are those of run 1; where they are not, whether both hold their
// poison there, so that nothing wrote them.
void check_second_run(const struct check_request *request, uint32_t run, struct arena *arena, struct record *record);

#endif
