// SPDX-License-Identifier: Apache-2.0
// What the ways of running points share. Private to harness/run.
#ifndef VKASSAY_RUN_RUNNER_H
#define VKASSAY_RUN_RUNNER_H

#include "../check/check.h"
#include "../timing/drift_gpu.h"
#include "../check/exact.h"
#include "../timing/measure.h"
#include "../check/exhaustive_run.h"
#include "../check/residue.h"
#include "../timing/energy.h"
#include "../timing/turns.h"

struct runner {
    struct gpu *gpu;
    struct timing_device device; // over it
    struct run_options options;
    struct work *work;
    struct drift *drift;
    struct residue *residue;    // NULL: a layer that instruments each of its accesses would take minutes for it
    struct energy_meter *meter; // opened when it is first asked for; NULL with the reason where there is none
    bool loops_probed;          // on the first point whose values are wrong
    uint32_t loop_turns;        // after which the driver ends loops; 0: it does not
    const char *no_meter;
    struct workshop workshop;
    struct problem problem;
    uint64_t problem_memory; // bytes on the device when it was made, before anything was launched on it
    struct truth truth;
    struct exhaustive *exhaustive; // NULL until an exhaustive check's point comes
    struct exact exact;
    struct turns turns;
    struct transfers transfers;
    struct phase_timer phases;
    struct buffer flush;
};

// The built kernel of a point, with what it cost and what the driver tells of it in the record.
const struct built *runner_build(
    struct runner *runner, const struct point *point, struct arena *arena, struct record *record, struct error *err);
// Makes the runner's problem that of the point.
bool runner_problem(struct runner *runner, const struct point *point, struct error *err);
// Reference and check; a wrong result is in the record. False: the device failed.
bool runner_judge(struct runner *runner, const struct point *point, const struct built *built,
    const struct launch *launch, struct arena *arena, struct record *record, struct error *err);
// What the last timed run left, held against the checked one.
void runner_judge_last(
    struct runner *runner, const struct point *point, struct policy policy, struct arena *arena, struct record *record);
// Waits for a device that has slowed down; the wait is the phases's part of that name.
bool runner_settle(struct runner *runner, struct error *err);
// How samples are taken, as the suite and the command line ask for; what a submission costs is for the caller to add.
struct timing_settings runner_timing(const struct runner *runner);
// What went wrong, as the record's status, reason and call.
void runner_blame(struct record *record, struct arena *arena, const struct error *err);
// Fails a record that passed, if the validation layer has said anything since it had said `messages`.
void runner_listen(struct runner *runner, unsigned messages, struct arena *arena, struct record *record);

#endif
