// SPDX-License-Identifier: Apache-2.0
// The worker at hand: started when there is something to do, replaced when it is lost.
#ifndef VKASSAY_SUPERVISE_WORKER_HANDLE_H
#define VKASSAY_SUPERVISE_WORKER_HANDLE_H

#include "protocol.h"

struct worker_handle {
    const struct session *session;
    const struct device_info *device; // NULL: the session's
    bool (*tick)(void *user);         // called about four times a second while waiting; false stops the wait
    void *user;

    struct process process;
    bool productive;            // this worker has finished a point
    int fruitless;              // workers in a row that have not
    const struct kernel *fatal; // the kernel that the last of them was lost on; NULL: lost before any point
    char last[400];             // how the last one was lost
    struct json_object *losses; // texts: workers that were lost and cost no point; NULL: none. The caller releases it
    bool unblamed;              // one of them was lost at work
    struct lost_ahead *ahead;   // points that one was lost to while their shaders were built ahead (ahead.c)
    size_t prefilled;           // points before this one have their shaders, as far as they build
    bool one_by_one;            // a worker died while it built them: each is built with its point
    int64_t prefill_ns;         // spent so
    int64_t start_ns;           // spent on starting workers
};

// Has a worker run planned points of one problem in turns (RUNNER_GROUP at most), with the shaders of those that follow
// built ahead. records[i] receives what it answered for points[i], or what stands in for it when the worker was lost to
// it for sure; the caller releases it. NULL: nothing is known of it, it is to be run alone; or the tick stopped the
// wait, as it does where one alone has no record. False: no worker can be had, err says why.
bool worker_run(struct worker_handle *worker, const size_t *points, size_t count, struct json_object **records,
    bool *stopped, struct error *err);

// Has it do with any point what the message says, without building ahead, and in a fresh worker where the last one was
// lost or its driver failed. *record NULL: the tick stopped the wait.
bool worker_ask(struct worker_handle *worker, enum message_type type, const struct point *point,
    struct json_object **record, struct error *err);

// Has it measure a point of both versions against each other; where it is lost to that, or one of them has no such
// point, each is checked alone. records[i] as of worker_run; where `stopped` is set they are of no use.
bool worker_run_pair(struct worker_handle *worker, const struct version_pair *pair, struct json_object *records[2],
    bool *stopped, struct error *err);

// Has the shaders of the planned points in [first, end) built ahead, where a worker can be had.
// What a worker is lost to meanwhile is what worker_run or worker_ask give for that point the next time. False: no
// worker can be had.
bool worker_prefill(struct worker_handle *worker, size_t first, size_t end, struct error *err);

// Ends the worker, if there is one; unless `hurried` it has time to store its caches and release the device.
void worker_dismiss(struct worker_handle *worker, bool hurried);

// Another worker of the same session, for a thread of its own; and what is kept of it when it is dismissed.
struct worker_handle worker_beside(const struct worker_handle *worker);
void worker_join(struct worker_handle *worker, struct worker_handle *beside);

// The record of a point that no worker answered for: lost with its worker, or skipped without running. The caller
// releases it.
struct json_object *stand_in(
    const struct session *session, const struct point *point, enum record_status status, const char *reason);
struct json_object *stand_in_refused(
    const struct session *session, const struct point *point, const struct refusal *refusal);

#endif
