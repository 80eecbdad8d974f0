// SPDX-License-Identifier: Apache-2.0
// Supervisor and workers of a run. The supervisor holds the plan and the journal and never touches Vulkan. A worker
// is this program started again ("vkassay worker"); it holds the device. The supervisor writes work as lines of JSON
// to the worker's standard input and reads the answers from its descriptor 3. Output of drivers goes to the worker's
// standard error.
#ifndef VKASSAY_SUPERVISE_SUPERVISE_H
#define VKASSAY_SUPERVISE_SUPERVISE_H

#include "estimate.h"
#include "../plan/suite.h"
#include "../run/run.h"
#include "../../record/terms.h"
#include "../../base/arena.h"
#include "../../base/error.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

struct device_info;

struct progress {
    size_t done, total;
    const char *current;        // name of the running point
    struct json_object *record; // the record just done, or NULL
    double elapsed_s, left_s;   // left_s NaN while unknown
    size_t counts[RECORD_STATUS_COUNT];
};

// A version of the kernels, measured against another version by `ab`.
struct version_files {
    const char *const *folders; // its kernel folder, then the include folders of its shaders
    size_t count;
};

// A kernel's point in both versions, or in only one of them.
struct version_pair {
    const struct point *sides[2]; // base, head; NULL: this version has no such point
};

struct session {
    const char *program; // path of this executable
    const struct device_info *device;
    const char *const *kernel_folders;
    size_t kernel_folder_count;
    struct version_files versions[2]; // base and head, for pairs; else empty
    double effect;                    // for pairs: the smallest relative change to resolve
    const char *const *operators;     // shared objects, loaded before the kernels
    size_t operator_count;
    struct run_options options;
    double point_timeout_s; // a worker silent for longer is killed, and the point is a timeout
    double budget_s;        // no point starts after this time; 0: no limit
    // For a plan of supervise_climb: it ends before a case that is expected to spend the budget, and CLIMB_RIGHT after
    // the first wrong case, too. The points after that are no longer planned. CLIMB_EACH times each point by itself.
    enum climbs { CLIMB_NONE, CLIMB_RIGHT, CLIMB_EACH } climbs;
    struct plan plan;
    const char *journal_path; // NULL: no journal, for pairs
    bool resume;
    int jobs;                                  // workers at once for untimed points; 0 counts as 1
    int at_once;                               // sessions of this process that share the host's cores; 0 counts as 1
    const struct device_info *const *siblings; // devices like `device`, shared by workers of untimed points
    size_t sibling_count;
    bool retry;                  // run a point once more if its outcome was not the expected one
    struct json_object **known;  // records of planned points from before this run, used as they are;
    size_t known_count;          // both the session and the outcome hold references
    struct estimate floors;      // by peaks of earlier runs, for times of pairs and searches; zeroed: none
    struct json_object *context; // context of the result; taken over
    // Called after each record, and about four times a second in between with record NULL. May be NULL.
    void (*progress)(void *user, const struct progress *progress);
    void *user;
};

struct outcome {
    struct json_object *context;  // its "run" may be incomplete (whole_is); NULL: no outcome
    struct json_object **records; // in plan order, without the points not reached
    size_t count;
    size_t left; // points without a record; for a search, cases
    struct climb_end {
        size_t left_out;   // points no longer planned
        const char *next;  // the name of the first of them
        double expected_s; // the time of its case
        bool wrong;        // the case before it is wrong
    } climb_end;
    bool no_culprit;  // a worker was lost at work, and no point is known as the culprit
    bool interrupted; // by SIGINT, SIGTERM (a second one ends at once) or SIGUSR1
    bool out_of_budget;
    double wall_s;
};

// Lists every device by a short-lived worker, so a crash of a driver costs only an error. Sets `validates` (may be
// NULL) to whether the validation layer is installed.
bool supervise_devices(struct arena *arena, const char *program, struct device_info **devices, size_t *count,
    bool *validates, struct error *err);

// Runs the plan. If a worker dies, hangs or loses the device, this costs its current point; a new worker takes the
// rest. Untimed plans use the session's number of workers and leave the same records. The run ends with an error
// (STATUS_FAULT) if three workers in a row are lost before they finish a point. Losses on one kernel count only once.
// The journal stays. Once there is a journal, *out receives the records so far even if the run fails.
bool supervise_run(struct arena *arena, struct session *session, struct outcome *out, struct error *err);

// Orders a plan for a session that climbs: cases by their work, the smallest first, and default shapes before others;
// peaks stay in front. `in_steps` leaves out cases of about the same work, except the first ones.
void supervise_climb(struct plan *plan, bool in_steps);

// Runs pairs of points on the session's device, both sides interleaved, so a disturbance affects both sides. The
// outcome has two records for each pair, base and head. A record is NULL if there is no such point or the run did not
// reach it. If a worker is lost to a pair, it is replaced and each side is checked alone.
bool supervise_pairs(struct arena *arena, struct session *session, const struct version_pair *pairs, size_t count,
    struct outcome *out, struct error *err);

// Runs the worker's main loop ("vkassay worker") and returns the exit status.
enum status worker_main(void);

#endif
