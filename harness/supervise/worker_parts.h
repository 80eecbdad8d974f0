// SPDX-License-Identifier: Apache-2.0
// What the files of the worker at hand share.
#ifndef VKASSAY_SUPERVISE_WORKER_PARTS_H
#define VKASSAY_SUPERVISE_WORKER_PARTS_H

#include "worker_handle.h"

// A worker, if there is none. False: none can be had. True without one: the tick stopped it.
bool worker_start(struct worker_handle *worker, struct error *err);

// Kills it.
void worker_stop(struct worker_handle *worker);

// Asks something of points; that it could not be sent shows in the answer.
void worker_send(struct worker_handle *worker, enum message_type type, const struct point *const *points, size_t count);

// Waits for a message for so long. *message holds the one before, or is zeroed, and is released; the new one, where
// there is a line, is the caller's.
enum heard worker_hear(struct worker_handle *worker, double seconds, struct message *message);

// Ends a worker that gave no usable answer. `why` says what it did: in `said` when it answered with something else.
enum { WORKER_WHY = 2000 };
void worker_reap(
    struct worker_handle *worker, enum heard heard, double timeout_s, const char *said, char why[WORKER_WHY]);

enum { MOST_FRUITLESS = 3 }; // workers lost in a row that end a run

// Of a worker that was lost on a point of `kernel` (NULL: before any).
void worker_count_loss(struct worker_handle *worker, const struct kernel *kernel, const char *why, const char *where);

// Notes that a worker was lost and no point is known to have done it; `at_work`: some point must have.
void worker_note_loss(struct worker_handle *worker, bool at_work, const char *when, const char *why);

// ---- shaders ahead of time (ahead.c)

// Has the worker build the shaders of the points from `first` on, before any is timed: it then costs no noise, and the
// loss of a worker finds the point that it was lost to. False: it was lost. Afterwards there is no worker where the
// tick stopped it.
bool ahead_build(struct worker_handle *worker, size_t first, size_t end);

// The record of a point that a worker was lost to while its shaders were built ahead, once; NULL: there is none.
struct json_object *ahead_take(struct worker_handle *worker, const struct point *point);

void ahead_forget(struct worker_handle *worker);

#endif
