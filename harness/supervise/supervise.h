// SPDX-License-Identifier: Apache-2.0
// Supervisor and workers. The supervisor holds the plan and the journal and never touches Vulkan; a
// worker is this program again ("vkassay worker"), which holds the device. Work goes to it as lines
// of JSON on its standard input and comes back as lines on descriptor 3; what drivers print stays
// on its standard error.
#ifndef VKASSAY_SUPERVISE_SUPERVISE_H
#define VKASSAY_SUPERVISE_SUPERVISE_H

#include "../plan/suite.h"
#include "../record/result.h"
#include "../run/run.h"

struct progress {
    size_t done, total;
    const char *current;        // name of the point that runs now
    struct json_object *record; // the record just done, or NULL
    double elapsed_s, left_s;   // left_s NaN while unknown
    size_t counts[RECORD_STATUS_COUNT];
};

// A version of kernels that is measured against another (ab).
struct version_files {
    const char *const *folders; // its own, then those that its shaders include from
    size_t count;
};

// What a kernel is in both versions, or in one alone.
struct version_pair {
    const struct point *sides[2]; // base, head; NULL: it has no such point
};

struct session {
    const char *program; // path of this executable
    const struct device_info *device;
    const char *const *kernel_folders;
    size_t kernel_folder_count;
    struct version_files versions[2]; // base and head, where pairs are run; else none
    double effect;                    // of pairs: the least ratio that counts
    const char *const *operators;     // shared objects, loaded before the kernels
    size_t operator_count;
    struct run_options options;
    double point_timeout_s; // a worker silent for longer is killed and the point is a timeout
    double budget_s;        // stop starting points after this; 0: none
    struct plan plan;
    const char *journal_path; // NULL: none, where pairs are run
    bool resume;
    int jobs;                                // workers at once where nothing is timed; 0 counts as 1
    int at_once;                             // sessions of this process that share the host's cores; 0 counts as 1
    const struct device_info *const *beside; // devices like `device`, which workers take in turns with it where nothing
    size_t beside_count;                     // is timed
    bool retry;                              // run a point once more that came out otherwise than expected
    struct json_object **known;              // records of the plan that were made before, and are taken as they are:
    size_t known_count;                      // the session holds them, and so does the outcome
    struct json_object *context;             // of the result; taken over
    // Called after each record and about four times a second in between (record NULL); may be NULL.
    void (*progress)(void *user, const struct progress *progress);
    void *user;
};

struct outcome {
    struct json_object *context;  // its run says whether it is whole (whole_is); NULL: there is no outcome
    struct json_object **records; // in plan order, without what was not reached
    size_t count;
    size_t left;      // points without a record; of a search, cases
    bool unblamed;    // a worker was lost at work, and no point is known to have done it
    bool interrupted; // by SIGINT, SIGTERM (a second one ends at once) or SIGUSR1
    bool out_of_budget;
    double wall_s;
};

// Every device, through a short-lived worker, so that a driver that crashes while it is enumerated
// costs an error and no more. *validates: whether the validation layer is installed; may be NULL.
bool supervise_devices(struct arena *arena, const char *program, struct device_info **devices, size_t *count,
    bool *validates, struct error *err);

// Runs the plan. A worker that dies, hangs or loses the device costs the point it had; a new worker
// takes the rest; where nothing is timed the session's number of workers do, and leave the same records. Three workers
// in a row that are lost before they finish a point end the run with
// an error (STATUS_FAULT), unless it is one kernel that they were lost on; the journal stays. What
// there is by then is in *out also when the run fails, once it has a journal.
bool supervise_run(struct arena *arena, struct session *session, struct outcome *out, struct error *err);

// Runs pairs of points, each on the session's device in turns: what disturbs one side disturbs the other. The outcome
// has two records a pair, base and head; NULL where there is no such point, or it was not reached. A worker that is
// lost to a pair is replaced, and each side checked alone.
bool supervise_pairs(struct arena *arena, struct session *session, const struct version_pair *pairs, size_t count,
    struct outcome *out, struct error *err);

// The worker's main loop ("vkassay worker"); returns the exit status.
enum status worker_main(void);

#endif
