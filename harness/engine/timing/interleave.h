// SPDX-License-Identifier: Apache-2.0
// Points of one problem measured interleaved, one sample at a time and in any order. Each is kept ready, so the next
// sample costs no more than its interval. This is for searches that decide after every sample; otherwise rounds.h is
// enough.
#ifndef VKASSAY_TIMING_INTERLEAVE_H
#define VKASSAY_TIMING_INTERLEAVE_H

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

enum { INTERLEAVE_KEPT = 128 }; // recordings
struct interleave {
    struct ready ready[INTERLEAVE_KEPT];
    uint64_t uses;
    struct shared_interval interval; // of the problem's points
    double submit_ns;                // cost of an empty submission; 0: not measured yet
};

// Returns the point's entry, or a new one (*made) in place of the least recently used. NULL: ERROR_OUT_OF_MEMORY even
// after releasing all others, or a device error.
struct ready *interleave_find(struct interleave *interleave, struct gpu *gpu, const struct point *point,
    const struct problem *problem, const struct built *built, bool *made, struct error *err);

// Prepares a new entry and warms it up.
bool interleave_prepare(
    struct interleave *interleave, const struct timing_settings *settings, struct ready *ready, struct error *err);
// Takes one sample. If a faster point came since the last one, the repeats are those of that point.
bool interleave_take(struct interleave *interleave, const struct timing_settings *settings, struct ready *ready,
    double *ns, struct error *err);

// Returns the fastest sample of the problem's other points; INFINITY: none has any.
double interleave_others(const struct interleave *interleave, const struct ready *ready);

void interleave_drop(struct gpu *gpu, struct ready *ready);
void interleave_close(struct interleave *interleave, struct gpu *gpu); // call it before closing the problem

#endif
