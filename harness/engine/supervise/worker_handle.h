// SPDX-License-Identifier: Apache-2.0
// The current worker of a session: started on demand and replaced when it is lost.
#ifndef VKASSAY_SUPERVISE_WORKER_HANDLE_H
#define VKASSAY_SUPERVISE_WORKER_HANDLE_H

#include "protocol.h"

struct worker_handle {
    const struct session *session;
    const struct device_info *device; // NULL: the session's device
    bool (*tick)(void *user);         // called about four times a second while waiting; false stops the wait
    void *user;

    struct process process;
    bool productive;            // this worker has finished a point
    int consecutive_losses;     // workers lost in a row before they finished a point, each on another kernel
    const struct kernel *fatal; // kernel of the last such loss; NULL: lost before any point
    char last[400];             // how the last worker was lost
    struct json_object *losses; // texts on lost workers that cost no point; NULL: none. The caller releases it
    bool no_culprit;            // a worker was lost at work, and no point is known as the culprit
    struct lost_prebuild *lost; // losses of workers while shaders were built ahead (prebuild.c)
    size_t prefilled;           // points before this index have their shaders, if those build at all
    const struct point *next;   // of the problem behind the points of a run; NULL: not known
    bool one_by_one;            // a worker died while building ahead: shaders are built with their point from then on
    int64_t prefill_ns;         // spent on building ahead
    int64_t start_ns;           // spent on starting workers
};

// Runs planned points of one problem interleaved, at most RUNNER_GROUP, and builds the shaders of later points ahead.
// For points[i], records[i] receives the worker's answer, or a stand-in if the worker was lost to this point for
// sure. The caller releases it. NULL: nothing is known of the point, so run it alone; or the tick stopped the wait.
// For a single point, NULL always means a stopped wait. Returns false and sets err if no worker can be had.
bool worker_run(struct worker_handle *worker, const size_t *points, size_t count, struct json_object **records,
    bool *stopped, struct error *err);

// Has the worker do what the message says with any point, without building ahead. Starts a fresh worker if the last
// one was lost or its driver failed. *record NULL: the tick stopped the wait.
bool worker_ask(struct worker_handle *worker, enum message_type type, const struct point *point,
    struct json_object **record, struct error *err);

// Measures a point of both versions against each other. If the worker is lost, or only one version has the point,
// each side is checked alone. The records are as in worker_run; if `stopped` is set, they are of no use.
bool worker_run_pair(struct worker_handle *worker, const struct version_pair *pair, struct json_object *records[2],
    bool *stopped, struct error *err);

// Builds the shaders of the planned points in [first, end) ahead. If a worker is lost to a point meanwhile, the next
// worker_run or worker_ask of the point returns the record of the loss. Returns false if no worker can be had.
bool worker_prefill(struct worker_handle *worker, size_t first, size_t end, struct error *err);

// Ends the worker, if there is one. Unless `hurried`, the worker has time to store its caches and release the device.
void worker_dismiss(struct worker_handle *worker, bool hurried);

// Returns another worker of the same session for a thread of its own. After its dismissal worker_join adds its losses
// and start time to `worker`.
struct worker_handle worker_sibling(const struct worker_handle *worker);
void worker_join(struct worker_handle *worker, struct worker_handle *beside);

// Returns the record of a point without an answer: lost with its worker, or skipped without running. A refusal (NULL:
// none) takes the place of status and reason. The caller releases the record.
struct json_object *stand_in(const struct session *session, const struct point *point, enum record_status status,
    const char *reason, const struct refusal *refusal);

#endif
