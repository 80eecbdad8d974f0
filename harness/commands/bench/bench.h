// SPDX-License-Identifier: Apache-2.0
// Plans a suite and runs it on each chosen device, for bench, check and the commands built on them.
#ifndef VKASSAY_COMMANDS_BENCH_H
#define VKASSAY_COMMANDS_BENCH_H

#include "../../engine/supervise/supervise.h"
#include "../../readers/render/render.h"
#include "../options.h"
#include "../../base/error.h"

#include <stdbool.h>

// The run of one device, as the hooks see it.
struct bench_run {
    const struct options *options;
    const struct device_info *device;
    const char *suite; // the suite's name
    const struct kernels *kernels;
    const char *path; // of the result; NULL before the run
    bool interrupted;
    const char *cut_short; // why the result is partial (whole_words of record/result.h); NULL: it is complete, or not
                           // written yet
    void *user;            // the bench's `user`
};

struct bench {
    const char *verb;
    const char *suite; // the default if there is no --suite
    bool time;
    bool all_shapes;    // plan every shape of a case, unless the suite lists its shapes; plan no points for peaks
    bool knows_peaks;   // peaks planned only for reference are reused from an earlier run (known_peaks.h)
    enum climbs climbs; // as of the session; small cases first
    bool in_steps;      // of these, leave out cases of about the same work
    bool finds_sizes;   // add sizes for kernels named on the command line but missing from the suite
    // Runs a session. NULL: supervise_run.
    bool (*supervise)(struct arena *arena, struct session *session, void *user, struct outcome *out, struct error *err);
    // Called before anything is measured on a device; may be NULL. Returns false to measure nothing; err says why.
    bool (*before)(struct arena *arena, const struct bench_run *run, struct error *err);
    // Called after the result is written, with *status set to STATUS_OK; sets *status. NULL: the result is shown.
    bool (*after)(struct arena *arena, const struct bench_run *run, enum status *status, struct error *err);
    void *user;          // for these three hooks
    const char **result; // receives the path of the last result written; NULL: it is not wanted
};

// Runs the suite. *status receives the exit status of all devices together.
bool bench_suite(struct arena *arena, const struct options *options, const struct bench *bench, enum status *status,
    struct error *err);

// Options for showing a result. NULL members are left out.
struct shown_with {
    const struct profile *profile; // points beyond it are shown as skipped
    const struct peers *peers;     // times of other programs
    enum charts charts;
    bool joined; // results of compilers are shown together later, so nothing is shown
    bool brief;  // with many cases, print one line for each family
};
// Shows a result. Prints tables to standard output unless `quiet`, writes charts and the page to `folder`, and prints
// their paths.
bool present(const char *result_path, struct shown_with with, const char *folder, const char *home, bool quiet,
    struct error *err);

// Returns whether it is a result of `check --tier compile`. The second writes compiled.md and compiled.html of such
// results into `folder` and prints the pipelines that spill. `code` is the folder of their disassembly; NULL: none.
bool is_compiled(const struct result *result);
bool present_compiled(struct arena *arena, const struct result *results, size_t count, const char *code,
    const char *folder, const char *home, enum status *status, struct error *err);

// Returns whether the suite's file has claims. The second decides them by a result, prints each unless `quiet`, and
// writes claims.html and claims.md into `folder`.
bool suite_has_claims(const char *suite_file);
bool present_claims(struct arena *arena, const char *suite_file, const char *result_path, const char *folder,
    const char *home, bool quiet, enum status *status, struct error *err);

// ---- the command line of an interrupted run, from its journal, and the line to continue it

// Reads the options of the interrupted run in the folder given by --resume. Sets *out to the options to continue
// with. Options for reading and measuring are the recorded ones, and so is the device. Options for files to load, run
// or write come only from `given`; recorded ones are reported on standard error and left out. STATUS_USAGE: the run
// belongs to another verb.
bool resume_options(struct arena *arena, const struct options *given, struct options *out, struct error *err);

// Returns whether this recorded option was left out.
bool resume_lacks(const struct options *options, const char *name);

// Returns a shell command line to continue the run in `folder`: "vkassay bench --resume FOLDER --junit FILE". NULL:
// the verb takes no --resume.
const char *resume_line(struct arena *arena, const struct options *options, const char *folder);

#endif
