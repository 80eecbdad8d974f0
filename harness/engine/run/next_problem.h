// SPDX-License-Identifier: Apache-2.0
// Fills the next problem and computes its expected outputs on the host, while the device times the current one.
#ifndef VKASSAY_RUN_NEXT_PROBLEM_H
#define VKASSAY_RUN_NEXT_PROBLEM_H

#include "../check/inputs/truth.h"

#include <pthread.h>

struct next_problem {
    struct problem problem; // without buffers on the device
    struct truth truth;     // without the scalar baseline, whose time needs a quiet host
    const struct gpu *gpu;
    const struct settings *settings;
    struct point point;
    uint64_t seed;
    pthread_t thread;
    bool running, made;
};

// Starts a thread for the problem of a point. The point's kernel, the settings and the device must stay until
// next_problem_join. Problems above NEXT_BYTES are not made ahead, because two would need much of the host's memory.
enum { NEXT_BYTES = 256 << 20 };
void next_problem_begin(struct next_problem *next, const struct gpu *gpu, const struct point *point,
    const struct settings *settings, uint64_t seed);
void next_problem_join(struct next_problem *next); // waits until it is made
// Moves a made problem with this key, and its expected outputs, to *problem and *truth. Returns false if there is none
// (*taken is false), or if the device has no room for it.
bool next_problem_take(struct next_problem *next, struct gpu *gpu, uint64_t key, struct problem *problem,
    struct truth *truth, bool *taken, struct error *err);
void next_problem_close(struct next_problem *next); // accepts a zeroed one

#endif
