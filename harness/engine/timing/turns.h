// SPDX-License-Identifier: Apache-2.0
// Points of one problem measured in turns, one sample at a time and in any order. Each is kept ready, so the next
// sample costs no more than its interval. This is for searches that decide after every sample; otherwise rounds.h is
// enough.
#ifndef VKASSAY_TIMING_TURNS_H
#define VKASSAY_TIMING_TURNS_H

#include "../program/program.h"
#include "../check/launch.h"
#include "timing.h"

struct ready {
    uint64_t key; // of the point's name and its built kernel; 0: empty
    struct launch launch;
    struct sampler sampler; // of the launch
    uint64_t last_used;
    int samples;          // taken
    double fastest_ns;    // of them
    uint64_t output_hash; // of its check
};

enum { TURNS_KEPT = 128 }; // recordings
struct turns {
    struct ready ready[TURNS_KEPT];
    uint64_t uses;
    struct turn_interval interval; // of the problem's points
    double submit_ns;              // cost of an empty submission; 0: not measured yet
};

// Returns the point's entry, or a new one (*made) in place of the least recently used. NULL: ERROR_OUT_OF_MEMORY even
// after releasing all others, or a device error.
struct ready *turns_find(struct turns *turns, struct gpu *gpu, const struct point *point, const struct problem *problem,
    const struct built *built, bool *made, struct error *err);

// Prepares a new entry and warms it up.
bool turns_prepare(struct turns *turns, const struct timing_settings *settings, struct ready *ready, struct error *err);
// Takes one sample. If a faster point came since the last one, the repeats are those of that point.
bool turns_take(
    struct turns *turns, const struct timing_settings *settings, struct ready *ready, double *ns, struct error *err);

// Returns the fastest sample of the problem's other points; INFINITY: none has any.
double turns_others(const struct turns *turns, const struct ready *ready);

void turns_drop(struct gpu *gpu, struct ready *ready);
void turns_close(struct turns *turns, struct gpu *gpu); // call it before closing the problem

#endif
