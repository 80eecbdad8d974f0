// SPDX-License-Identifier: Apache-2.0
// What the files of the worker share.
#ifndef VKASSAY_SUPERVISE_CREW_PARTS_H
#define VKASSAY_SUPERVISE_CREW_PARTS_H

#include "worker_handle.h"

// A worker, if there is none. False: none can be had. True without one: the tick stopped it.
bool worker_start(struct worker_handle *worker, struct error *err);

// Kills it.
void worker_stop(struct worker_handle *worker);

// Ends a worker that gave no usable answer. `why` says what it did: in `said` when it answered with something else.
void worker_bury(
    struct worker_handle *worker, enum heard heard, double timeout_s, const char *said, char *why, size_t size);

// Of a worker that was lost on a point of `kernel` (NULL: before any).
void worker_count_loss(struct worker_handle *worker, const struct kernel *kernel, const char *why, const char *where);

int64_t worker_deadline(double seconds); // from now, of clock_ns

// ---- shaders ahead of time (ahead.c)

// Has the worker build the shaders of the points from `first` on, before any is timed: it then costs no noise, and the
// loss of a worker finds the point that it was lost to. False: it was lost. Afterwards there is no worker where the
// tick stopped it.
bool ahead_build(struct worker_handle *worker, size_t first, size_t end);

// The record of a point that a worker was lost to while its shaders were built ahead, once; NULL: there is none.
struct json_object *ahead_take(struct worker_handle *worker, const struct point *point);

void ahead_forget(struct worker_handle *worker);

#endif
