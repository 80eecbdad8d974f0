// SPDX-License-Identifier: Apache-2.0
// A chain at some dims on the host: its buffers' sizes and initial contents, and the reference chain in double and in
// float. The float chain rounds stored values as kernels do.
#ifndef VKASSAY_RUN_CHAIN_HOST_H
#define VKASSAY_RUN_CHAIN_HOST_H

#include "../manifest/chains/chain.h"
#include "../plan/point.h"

struct chain_room {
    enum dtype dtype;
    int64_t elements;
    uint64_t bytes;
    void *image;   // the device's initial contents
    double *exact; // of the reference chains; NULL for whole numbers
    float *rounded;
    int32_t *whole; // whole numbers, in place of the two above
};

struct chain_host {
    const struct chain *chain;
    struct chain_room rooms[CHAIN_BUFFERS];
    struct point links[CHAIN_LINKS]; // kernel, dtype, dims, parameters (of step 1), shape
};

// Returns false for dims not taken by an operator, or if links disagree about a buffer's size or type.
bool chain_host_open(
    const struct point *point, uint64_t seed, struct arena *arena, struct chain_host *out, struct error *err);
void chain_host_close(struct chain_host *host); // accepts a zeroed one

// Runs all links once, as step number `step` (from 1), in double or in float. Whole numbers follow the double chain.
void chain_host_step(struct chain_host *host, int64_t step, bool in_double);

// Returns the value of a link's parameter at a step.
double chain_param(const struct chain_link *link, int index, int64_t step);

// Returns the distance of a buffer's values from the double chain's, as a share of the latter's length (root of the
// sum of squares). It is infinite if either is not a number. `got`: the device's values; NULL: the float chain's.
double chain_distance(const struct chain_room *room, const void *got);

#endif
