// SPDX-License-Identifier: Apache-2.0
// What the files of the crew share.
#ifndef VKASSAY_SUPERVISE_CREW_PARTS_H
#define VKASSAY_SUPERVISE_CREW_PARTS_H

#include "crew.h"

// A worker, if there is none. False: none can be had. True without one: the tick stopped it.
bool crew_start(struct crew *crew, struct error *err);

// Kills it.
void crew_stop(struct crew *crew);

// Ends a worker that gave no usable answer. `why` says what it did: in `said` when it answered with something else.
void crew_bury(struct crew *crew, enum heard heard, double timeout_s, const char *said, char *why, size_t size);

// Of a worker that was lost on a point of `kernel` (NULL: before any).
void crew_count_loss(struct crew *crew, const struct kernel *kernel, const char *why, const char *where);

int64_t crew_deadline(double seconds); // from now, of clock_ns

// ---- shaders ahead of time (ahead.c)

// Has the worker build the shaders of the points from `first` on, before any is timed: it then costs no noise, and the
// loss of a worker finds the point that it was lost to. False: it was lost. Afterwards there is no worker where the
// tick stopped it.
bool ahead_build(struct crew *crew, size_t first, size_t end);

// The record of a point that a worker was lost to while its shaders were built ahead, once; NULL: there is none.
struct json_object *ahead_take(struct crew *crew, const struct point *point);

void ahead_forget(struct crew *crew);

#endif
