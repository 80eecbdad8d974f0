// SPDX-License-Identifier: Apache-2.0
// State and functions shared by timed (supervisor.c) and untimed plans (untimed.c).
#ifndef VKASSAY_SUPERVISE_SUPERVISOR_H
#define VKASSAY_SUPERVISE_SUPERVISOR_H

#include "../../record/wall.h"
#include "estimate.h"
#include "session_loop.h"

// ---- plans that grow (climb.c)

// What is known of the largest case that passed; zeroed: none did.
struct climb {
    double work;                      // point_work
    double compute_s;                 // the device at work on it
    double once_s;                    // its time
    double other_s;                   // copies, the reference, judging
    double base_once_s, base_other_s; // the least of any case: what does not grow with the case
    bool begun;                       // a case was, at start_s; peaks before it are not counted
    double start_s;
    bool wrong; // a point was wrong
    struct climb_end end;
};

// Takes a record of the session's point, whole.
void climb_note(struct climb *climb, const struct session *session, size_t index, struct json_object *record);

// Returns whether to begin the case at `next`, `elapsed_s` after the start. Otherwise the plan ends before it.
bool climb_goes_on(struct climb *climb, struct session *session, size_t next, double elapsed_s);

// ---- all plans

struct supervisor {
    struct session_loop loop;
    struct json_object **records; // by plan index; NULL: no record yet
    struct estimate estimate;
    struct wall wall; // of the work done here, summed from the records
    int jobs;         // most workers at a time
    struct climb climb;
};

// Takes a record over, from this run or from a resumed one.
void supervisor_place(struct supervisor *s, size_t index, struct json_object *record);

// Appends a record to the journal and takes it over. Returns false if it could not be written.
bool supervisor_keep(struct supervisor *s, size_t index, struct json_object *record, struct error *err);

// Records a point without running it.
bool supervisor_skip(struct supervisor *s, size_t index, const struct refusal *why, struct error *err);

// Runs a point again, by itself, if its first record calls for that. *record becomes NULL if an interrupt stopped it.
// Returns false if no worker can be had; *record then is the first attempt's.
bool supervisor_try_again(
    struct supervisor *s, struct worker_handle *worker, size_t index, struct json_object **record, struct error *err);

// Runs the points without a record, none of them timed, by the session's number of workers at once. The records are
// the same as with one worker. A point that needs much device memory, or may have been disturbed by others, is run
// (again) after the other workers have ended.
bool run_untimed(struct supervisor *s, struct arena *arena, struct error *err);

#endif
