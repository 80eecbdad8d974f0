// SPDX-License-Identifier: Apache-2.0
// Points of one problem that take turns, a sample at a time and in any order: each is kept ready,
// so that the next sample costs no more than its interval. For searches that decide after every
// sample whom to ask next; rounds.h is for those that do not.
#ifndef VKASSAY_RUN_TURNS_H
#define VKASSAY_RUN_TURNS_H

#include "interval.h"

struct ready {
    uint64_t key; // of the point's name and what was built for it; 0: empty
    struct launch launch;
    struct work *work;
    struct interval interval;
    uint64_t last_used;
};

enum { TURNS_KEPT = 128 }; // recordings
struct turns {
    struct ready ready[TURNS_KEPT];
    uint64_t uses;
    struct timer timer; // its name NULL until the first sample
};

// The point's place, made when there is none; *made says so. It takes the place of the one that was
// not used for longest. NULL: ERROR_OUT_OF_MEMORY though all others were released, or a device error.
struct ready *turns_find(struct turns *turns, struct gpu *gpu, const struct point *point, const struct problem *problem,
    const struct built *built, bool *made, struct error *err);

// Chooses the repeats of one that was just made and records it; `most_ns` bounds an interval.
bool turns_prepare(struct turns *turns, struct gpu *gpu, struct ready *ready, const struct buffer *flush,
    double most_ns, double timeout_s, struct error *err);

// One sample: nanoseconds of one dispatch.
bool turns_take(
    struct turns *turns, struct gpu *gpu, struct ready *ready, double timeout_s, double *ns, struct error *err);

void turns_drop(struct gpu *gpu, struct ready *ready);
void turns_close(struct turns *turns, struct gpu *gpu); // before the problem goes

#endif
