// SPDX-License-Identifier: Apache-2.0
// What the ways of going through a plan share: timed (supervisor.c) and not (untimed.c).
#ifndef VKASSAY_SUPERVISE_SUPERVISOR_H
#define VKASSAY_SUPERVISE_SUPERVISOR_H

#include "estimate.h"
#include "session_loop.h"

struct supervisor {
    struct session_loop loop;
    struct json_object **records; // by plan index; NULL: none yet
    struct estimate estimate;
    struct wall wall; // of what ran here, as far as the records tell
    int jobs;         // workers at a time, at most
};

// Puts a record into the journal and takes it over; false: it could not be written.
bool supervisor_keep(struct supervisor *s, size_t index, struct json_object *record, struct error *err);

// Records a point that is not run.
bool supervisor_skip(struct supervisor *s, size_t index, const struct refusal *why, struct error *err);

// Runs a point again, by itself, where its first record calls for that; *record becomes NULL where an interrupt stopped
// it. False: no worker can be had; what the first attempt gave is in *record then.
bool supervisor_try_again(
    struct supervisor *s, struct worker_handle *worker, size_t index, struct json_object **record, struct error *err);

// The points that have no record, none of which is timed, by the session's number of workers at once. What one of them
// leaves is what it leaves with one worker: a point that asks for much of the device's memory, or that ended otherwise
// than by its own doing, is run (again) when the others are gone.
bool run_untimed(struct supervisor *s, struct arena *arena, struct error *err);

#endif
