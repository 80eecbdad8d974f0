// SPDX-License-Identifier: Apache-2.0
// Points of one problem that take turns, a sample at a time and in any order: each is kept ready,
// so that the next sample costs no more than its interval. For searches that decide after every
// sample whom to ask next; rounds.h is for those that do not.
#ifndef VKASSAY_RUN_TURNS_H
#define VKASSAY_RUN_TURNS_H

#include "../program/program.h"
#include "timing.h"

struct ready {
    uint64_t key; // of the point's name and what was built for it; 0: empty
    struct launch launch;
    struct sampler sampler; // of the launch
    uint64_t last_used;
};

enum { TURNS_KEPT = 128 }; // recordings
struct turns {
    struct ready ready[TURNS_KEPT];
    uint64_t uses;
    double submit_ns; // what an empty submission costs; 0: not measured yet
};

// The point's place, made when there is none; *made says so. It takes the place of the one that was
// not used for longest. NULL: ERROR_OUT_OF_MEMORY though all others were released, or a device error.
struct ready *turns_find(struct turns *turns, struct gpu *gpu, const struct point *point, const struct problem *problem,
    const struct built *built, bool *made, struct error *err);

// Prepares one that was just made and warms it up.
bool turns_prepare(struct turns *turns, const struct timing_settings *settings, struct ready *ready, struct error *err);

void turns_drop(struct gpu *gpu, struct ready *ready);
void turns_close(struct turns *turns, struct gpu *gpu); // before the problem goes

#endif
