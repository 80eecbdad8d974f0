// SPDX-License-Identifier: Apache-2.0
// A pool of device buffers in powers of two, as backends have one. A returned buffer waits in the bucket of its size.
#ifndef VKASSAY_RUN_POOL_H
#define VKASSAY_RUN_POOL_H

#include "../vulkan/gpu.h"

enum { POOL_BUCKETS = 40, POOL_KEPT = 64 }; // kept per bucket; more are freed

struct pool {
    struct buffer kept[POOL_BUCKETS][POOL_KEPT];
    int count[POOL_BUCKETS];
    uint64_t requests, hits;
    double asked, given; // bytes, over all requests
};

// Takes a buffer of at least `bytes`, rounded up to a power of two.
bool pool_take(struct pool *pool, struct gpu *gpu, uint64_t bytes, struct buffer *out, struct error *err);
void pool_give(struct pool *pool, struct gpu *gpu, struct buffer *buffer); // takes ownership
void pool_close(struct pool *pool, struct gpu *gpu);

#endif
