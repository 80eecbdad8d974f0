// SPDX-License-Identifier: Apache-2.0
// State shared by the ways of running points. Private to harness/engine/run.
#ifndef VKASSAY_RUN_RUNNER_H
#define VKASSAY_RUN_RUNNER_H

#include "next_problem.h"
#include "run.h"

#include "../check/check.h"
#include "../check/launch.h"
#include "../check/loop_limit.h"
#include "../timing/drift_gpu.h"
#include "../check/exact.h"
#include "../timing/measure.h"
#include "../check/exhaustive_run.h"
#include "../check/repeated/repeated.h"
#include "../check/rewritten.h"
#include "../check/sanitized/sanitizer.h"
#include "../check/stale_memory.h"
#include "../timing/energy.h"
#include "../timing/interleave.h"

struct runner {
    struct gpu *gpu;
    struct timing_device device; // over `gpu`
    struct run_options options;
    struct work *work;
    struct drift *drift;
    char clocks[100];                  // why timestamps are not used, if they are not the host's time
    struct stale_memory *stale_memory; // NULL under a layer that instruments every access: it would take minutes
    struct sanitizer *sanitizer;       // opened at the first point to sanitize
    struct small_verdicts *small;      // of the sanitizer; opened at the first point to check
    struct repeater *repeater;         // opened at the first point to repeat
    struct rewriter *rewriter;         // opened at the first point to rewrite
    struct energy_meter *meter;        // opened when first needed; NULL if there is none, with the reason in no_meter
    struct loop_limit loops;           // probed at the first point with wrong values
    const char *no_meter;
    struct workshop workshop;
    struct problem problem;
    uint64_t problem_memory; // bytes on the device after it was made, before any launch
    struct truth truth;
    const struct point *expected;  // the point whose problem comes next; NULL: not known
    struct next_problem next;      // of the expected point
    struct exhaustive *exhaustive; // NULL until the first point of an exhaustive check
    struct exact exact;
    struct interleave interleave;
    struct transfers transfers;
    struct phase_timer phases;
    struct buffer flush;
};

// Returns the built kernel of a point. The record gets its cost and the driver's figures about it.
const struct built *runner_build(
    struct runner *runner, const struct point *point, struct arena *arena, struct record *record, struct error *err);
// Makes the point's problem the runner's.
bool runner_problem(struct runner *runner, const struct point *point, struct error *err);
// Makes the reference and checks the point; a wrong result is in the record. Returns false if the device failed.
bool runner_judge(struct runner *runner, const struct point *point, const struct built *built,
    const struct launch *launch, struct arena *arena, struct record *record, struct error *err);
// Returns a request to check a launch of the runner's problem.
struct check_request runner_request(
    struct runner *runner, const struct point *point, struct policy policy, const struct launch *launch);
// Compares the outputs of the last timed run with the checked ones.
void runner_judge_last(
    struct runner *runner, const struct point *point, struct policy policy, struct arena *arena, struct record *record);
// Runs a timed point that passed a few times more: over disturbed outputs, and with other inputs if it has memory of
// its own, or if it is 20 times faster than `others_ns`. A point that keeps results of earlier runs, or knows its
// inputs, fails. `hash`: of its checked outputs. `others_ns`: of the fastest other shape of the problem; INFINITY:
// there is none. Returns false if the device failed.
bool runner_judge_timed(struct runner *runner, const struct point *point, struct policy policy,
    const struct launch *launch, uint64_t hash, double others_ns, struct arena *arena, struct record *record,
    struct error *err);
// Waits for a slowed-down device. The wait counts as WALL_WAIT in `phases`.
bool runner_settle(struct runner *runner, struct error *err);
// Returns the settings for samples, from the suite and the command line. The caller adds the cost of a submission.
struct timing_settings runner_timing(const struct runner *runner);
// Puts an error into the record's status, reason and call.
void runner_blame(struct record *record, struct arena *arena, const struct error *err);
// Fails a passed record if the validation layer has more messages than `messages`.
void runner_listen(struct runner *runner, unsigned messages, struct arena *arena, struct record *record);

#endif
