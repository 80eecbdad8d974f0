// SPDX-License-Identifier: Apache-2.0
// The parts common to all sessions: journal, worker, signals, budget, progress and the end.
#ifndef VKASSAY_SUPERVISE_SESSION_LOOP_H
#define VKASSAY_SUPERVISE_SESSION_LOOP_H

#include "time_left.h"
#include "worker_handle.h"

#include <pthread.h>

struct session_loop {
    struct session *session;
    struct json_object *context;
    struct journal *journal;
    struct worker_handle worker;
    struct progress progress;
    int64_t start_ns;
    struct time_left left; // of what needs a worker
    bool interrupted, out_of_budget;
    pthread_mutex_t lock; // guards all members but the worker, if there are several threads
};

// Starts or resumes the session's journal, if it has one, installs the signal handlers and takes over the session's
// context. The records of a resumed journal go to *old; the caller releases each. Returns false if there is no
// journal or it belongs to another run. Call session_close in any case.
bool session_open(struct session_loop *loop, struct session *session, struct arena *arena, struct json_object ***old,
    size_t *count, struct error *err);

double session_elapsed_s(const struct session_loop *loop);

// Counts the cost of a point as work to do, or as done.
void session_expect(struct session_loop *loop, const struct point *point);
void session_did(struct session_loop *loop, const struct point *point);

// Reports progress; `record`: the newest record, or NULL.
void session_tell(struct session_loop *loop, struct json_object *record);

// Fails a timed record whose time the device's peaks do not allow (session.floors).
void session_judge(const struct session_loop *loop, struct json_object *record);

// Returns whether to begin more work: not after an interrupt, and not when the budget is spent.
bool session_goes_on(struct session_loop *loop);

// Ends worker, signals and journal. `out` has its records and `left`, and receives the rest. `failed`: the error that
// ended the session; NULL: none.
void session_close(struct session_loop *loop, struct outcome *out, const struct error *failed);

#endif
