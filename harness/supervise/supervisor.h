// SPDX-License-Identifier: Apache-2.0
// State and functions shared by timed (supervisor.c) and untimed plans (untimed.c).
#ifndef VKASSAY_SUPERVISE_SUPERVISOR_H
#define VKASSAY_SUPERVISE_SUPERVISOR_H

#include "../record/wall.h"
#include "estimate.h"
#include "session_loop.h"

struct supervisor {
    struct session_loop loop;
    struct json_object **records; // by plan index; NULL: no record yet
    struct estimate estimate;
    struct wall wall; // of the work done here, summed from the records
    int jobs;         // most workers at a time
};

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
