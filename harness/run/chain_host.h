// SPDX-License-Identifier: Apache-2.0
// A chain at some dims on the host: its buffers' sizes and first contents, and the reference chain in double and in
// float, which rounds what it stores as kernels do.
#ifndef VKASSAY_RUN_CHAIN_HOST_H
#define VKASSAY_RUN_CHAIN_HOST_H

#include "../manifest/chains/chain.h"
#include "../plan/point.h"

struct chain_room {
    enum dtype dtype;
    int64_t elements;
    uint64_t bytes;
    void *image;   // what the device begins with
    double *exact; // of the reference chains; NULL of whole numbers
    float *rounded;
    int32_t *whole; // instead of them
};

struct chain_host {
    const struct chain *chain;
    struct chain_room rooms[CHAIN_BUFFERS];
    struct point links[CHAIN_LINKS]; // kernel, dtype, dims, parameters (of step 1), shape
};

// False: dims that an operator does not take, or links that disagree about a buffer's size or type.
bool chain_host_open(
    const struct point *point, uint64_t seed, struct arena *arena, struct chain_host *out, struct error *err);
void chain_host_close(struct chain_host *host); // accepts a zeroed one

// All links once, as step number `step` (from 1): in double, or in float. Whole numbers are those of the double chain.
void chain_host_step(struct chain_host *host, int64_t step, bool in_double);

// The value of a link's parameter at a step.
double chain_param(const struct chain_link *link, int index, int64_t step);

// Distance of a buffer's values to the double chain's, as a share of the latter's length (root of the sum of squares);
// infinite where either is not a number. `got`: as the device has them; NULL: the float chain's.
double chain_distance(const struct chain_room *room, const void *got);

#endif
