// SPDX-License-Identifier: Apache-2.0
// Declarations shared by the files of the current worker.
#ifndef VKASSAY_SUPERVISE_WORKER_PARTS_H
#define VKASSAY_SUPERVISE_WORKER_PARTS_H

#include "worker_handle.h"

// Starts a worker, unless there is one. Returns false if none can be had. True without a worker: the tick stopped the
// start.
bool worker_start(struct worker_handle *worker, struct error *err);

// Kills the worker.
void worker_stop(struct worker_handle *worker);

// Sends a request about points. A failure to send shows in the answer.
void worker_send(struct worker_handle *worker, enum message_type type, const struct point *const *points, size_t count);

// Waits at most `seconds` for a message. The struct must be zeroed or hold the previous message, which is released.
// If a line came, the caller releases the new message.
enum reply worker_receive(struct worker_handle *worker, double seconds, struct message *message);

// Ends a worker without a usable answer. `why` receives the cause: `said`, if the worker answered with something
// else.
enum { WORKER_WHY = 2000 };
void worker_reap(
    struct worker_handle *worker, enum reply reply, double timeout_s, const char *said, char why[WORKER_WHY]);

enum { MOST_CONSECUTIVE_LOSSES = 3 }; // lost workers in a row that end a run

// Counts a worker lost on a point of `kernel` (NULL: before any point).
void worker_count_loss(struct worker_handle *worker, const struct kernel *kernel, const char *why, const char *where);

// Notes a lost worker without a known culprit; `at_work`: some point must be the culprit.
void worker_note_loss(struct worker_handle *worker, bool at_work, const char *when, const char *why);

// Makes a worker ready for a request. True without a worker: the tick stopped its start.
bool worker_ready(struct worker_handle *worker, struct error *err);

// Records of points that lost a worker while their shaders were built ahead. One is kept, taken over, until it is taken
// once; NULL: none.
void worker_keep_lost(struct worker_handle *worker, const struct point *point, struct json_object *record);
bool worker_has_lost(struct worker_handle *worker, const struct point *point);
struct json_object *worker_take_lost(struct worker_handle *worker, const struct point *point);

// ---- shaders built before their points (prebuild.c)

// Builds the shaders of the points from `first` on before any point is timed. Building then adds no noise to samples,
// and a lost worker leads to the culprit point. Returns false if the worker was lost. If the tick stopped it, there
// is no worker afterwards.
bool prebuild_build(struct worker_handle *worker, size_t first, size_t end);

#endif
