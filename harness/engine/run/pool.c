// SPDX-License-Identifier: Apache-2.0
#include "pool.h"

static const uint64_t least_bytes = 256;

static int bucket_of(uint64_t bytes) {
    int bucket = 0;
    while (bucket < POOL_BUCKETS - 1 && least_bytes << bucket < bytes) bucket++;
    return bucket;
}

bool pool_take(struct pool *pool, struct gpu *gpu, uint64_t bytes, struct buffer *out, struct error *err) {
    int bucket = bucket_of(bytes);
    uint64_t size = least_bytes << bucket;
    pool->requests++;
    pool->asked += (double)bytes;
    pool->given += (double)size;
    if (!pool->count[bucket]) return buffer_create(gpu, BUFFER_DEVICE, size, out, err);
    pool->hits++;
    *out = pool->kept[bucket][--pool->count[bucket]];
    return true;
}

void pool_give(struct pool *pool, struct gpu *gpu, struct buffer *buffer) {
    int bucket = bucket_of(buffer->bytes);
    if (buffer->handle && pool->count[bucket] < POOL_KEPT)
        pool->kept[bucket][pool->count[bucket]++] = *buffer;
    else
        buffer_destroy(gpu, buffer);
    *buffer = (struct buffer){0};
}

void pool_close(struct pool *pool, struct gpu *gpu) {
    for (int b = 0; b < POOL_BUCKETS; b++)
        while (pool->count[b]) buffer_destroy(gpu, &pool->kept[b][--pool->count[b]]);
}
