// SPDX-License-Identifier: Apache-2.0
// What every session does, whatever it runs: its journal, its worker, signals, budget, progress, and how it ends.
#ifndef VKASSAY_SUPERVISE_SESSION_LOOP_H
#define VKASSAY_SUPERVISE_SESSION_LOOP_H

#include "worker_handle.h"

#include <pthread.h>

struct session_loop {
    struct session *session;
    struct json_object *context;
    struct journal *journal;
    struct worker_handle worker;
    struct progress progress;
    int64_t start_ns;
    size_t to_run, ran; // what needs a worker, points or cases: left at the start, done since
    bool interrupted, out_of_budget;
    pthread_mutex_t lock; // of all this but the worker, where several threads are about
};

// Starts or resumes the session's journal, if it has one, and takes the signals; the session's context is taken over.
// *old receives what a resumed journal holds, each for the caller to release. False: there is no journal, or it is
// another run's. session_close follows in any case.
bool session_open(struct session_loop *loop, struct session *session, struct arena *arena, struct json_object ***old,
    size_t *count, struct error *err);

double session_elapsed_s(const struct session_loop *loop);

// Tells how it goes; `record`: what was just done, or NULL.
void session_tell(struct session_loop *loop, struct json_object *record);

// Whether anything further is begun: not after an interrupt, nor when the budget is spent.
bool session_goes_on(struct session_loop *loop);

// Ends worker, signals and journal. `out` has its records and what is left; it receives the rest. `failed`: what ended
// the session; NULL: nothing did.
void session_close(struct session_loop *loop, struct outcome *out, const struct error *failed);

#endif
