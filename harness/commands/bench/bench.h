// SPDX-License-Identifier: Apache-2.0
// A suite planned and run on each chosen device: for bench, check and what begins as they do.
#ifndef VKASSAY_COMMANDS_BENCH_H
#define VKASSAY_COMMANDS_BENCH_H

#include "../../supervise/supervise.h"
#include "../../render/render.h"
#include "../options.h"
#include "../../base/error.h"

#include <stdbool.h>

// One device's run, as the hooks see it.
struct bench_run {
    const struct options *options;
    const struct device_info *device;
    const char *suite; // its name
    const struct kernels *kernels;
    const char *path; // of the result; NULL before the run
    bool interrupted;
    const char *cut_short; // whole_words of record/result.h: the result is partial; NULL: it is whole, or not there yet
    void *user;            // of the bench
};

struct bench {
    const char *verb;
    const char *suite; // where --suite names none
    bool time;
    bool all_shapes;  // of every case of the suite but those that list theirs; without points for peaks
    bool knows_peaks; // what a selection brings along is not measured again (known_peaks.h)
    bool finds_sizes; // for kernels that are named and that the suite has no point of
    // How a session is run; NULL: supervise_run.
    bool (*supervise)(struct arena *arena, struct session *session, void *user, struct outcome *out, struct error *err);
    // NULL, or called before anything is measured on a device; false: err says why nothing is.
    bool (*before)(struct arena *arena, const struct bench_run *run, struct error *err);
    // NULL: the result is shown. Or called once it is written; *status, STATUS_OK before, receives how it came out.
    bool (*after)(struct arena *arena, const struct bench_run *run, enum status *status, struct error *err);
    void *user; // of the three
};

// Where the baseline of a device and a suite is kept: DIR/DEVICE-DRIVER/SUITE.json, as
// reports/baselines/nvidia-h200-580-159-04/gate.json; in the arena.
const char *baseline_path(
    struct arena *arena, const struct options *options, const struct device_info *device, const char *suite);

// *status receives the exit status, of all devices together.
bool bench_suite(struct arena *arena, const struct options *options, const struct bench *bench, enum status *status,
    struct error *err);

// What a result is shown with; NULL: without.
struct shown_with {
    const struct profile *profile; // what goes beyond it is shown as skipped
    const struct peers *peers;     // what other programs took
    enum charts charts;
    bool brief; // of many cases a line for each family
};
// A result shown: tables on standard output unless `quiet`, charts and the page in `folder`, and where they are.
bool present(const char *result_path, struct shown_with with, const char *folder, const char *home, bool quiet,
    struct error *err);

// ---- the command line of an interrupted run, from its journal, and the one that goes on with it

// `given` names a run's folder with --resume; *out receives the options that the run goes on with: what it reads and
// measures as it was started, on its device, and what is loaded, run or written as `given` says. What is recorded of
// the latter and left out is said on standard error. STATUS_USAGE: the run is of another verb.
bool resume_options(struct arena *arena, const struct options *given, struct options *out, struct error *err);

// Whether this option of the run was left out.
bool resume_lacks(const struct options *options, const char *name);

// The command line that goes on with the run in `folder`, for a shell: "vkassay bench --resume FOLDER --junit FILE".
// NULL where the verb takes no --resume.
const char *resume_line(struct arena *arena, const struct options *options, const char *folder);

#endif
