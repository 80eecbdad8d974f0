// SPDX-License-Identifier: Apache-2.0
// Memory: allocation compared with a pool, and the largest buffer.
#include "pool.h"
#include "probe.h"

#include "../../base/clock.h"
#include "../../base/hash.h"
#include "../../device/limits.h"
#include "../../device/device_info.h"

#include <string.h>

static const char why_host[] = "memory is allocated by the host";
enum { LIVE = 8, OCTAVES = 4 };

// ---- allocation and a pool

struct allocation {
    struct pool pool;
    bool pooled;
    int64_t bytes, n;
    uint64_t turn; // counts all requests
};

// Makes the next request. Sizes cover four octaves, uniform within each. Rounding up to a power of two wastes a third
// on average.
static bool take(struct probe_run *run, struct allocation *a, struct buffer *out, struct error *err) {
    const uint64_t draw = hash_bytes(HASH_START, &a->turn, sizeof a->turn);
    const uint64_t most = (uint64_t)a->bytes >> draw % OCTAVES, half = most / 2;
    const uint64_t bytes = half + 1 + (draw >> 8) % (most - half);
    a->turn++;
    return a->pooled ? pool_take(&a->pool, run->gpu, bytes, out, err)
                     : buffer_create(run->gpu, BUFFER_DEVICE, bytes, out, err);
}

static void give(struct probe_run *run, struct allocation *a, struct buffer *buffer) {
    if (a->pooled)
        pool_give(&a->pool, run->gpu, buffer);
    else
        buffer_destroy(run->gpu, buffer);
}

// Makes n requests, with only the last few alive at any time, and gives all back.
static bool requests(struct probe_run *run, void *user, double ns[FIGURE_COUNT], struct error *err) {
    struct allocation *a = user;
    struct buffer live[LIVE] = {0};
    bool ok = true;
    int64_t start = clock_ns();
    for (int64_t i = 0; ok && i < a->n; i++) {
        if (live[i % LIVE].handle) give(run, a, &live[i % LIVE]);
        ok = take(run, a, &live[i % LIVE], err);
    }
    for (int i = 0; i < LIVE; i++)
        if (live[i].handle) give(run, a, &live[i]);
    ns[FIGURE_COMPUTE] = (double)(clock_ns() - start) / (double)a->n;
    return ok;
}

static bool fill_and_read(
    struct probe_run *run, const struct buffer *buffer, const uint32_t *fill, uint32_t *first, struct error *err) {
    struct buffer back;
    if (!buffer_create(run->gpu, BUFFER_READBACK, 4, &back, err)) return false;
    bool ok = work_begin(run->gpu, run->work, err);
    if (ok) {
        if (fill) work_fill(run->work, buffer, 0, buffer->bytes / 4 * 4, *fill);
        work_barrier(run->work);
        work_copy(run->work, buffer, 0, &back, 0, 4);
    }
    ok = ok && work_end(run->gpu, run->work, err) &&
         work_run(run->gpu, run->work, run->options->timeout_s, NULL, NULL, err) &&
         buffer_invalidate(run->gpu, &back, err);
    if (ok) memcpy(first, back.host, 4);
    buffer_destroy(run->gpu, &back);
    return ok;
}

// Checks a reused buffer: its contents are stale, so it holds poison if it was poisoned before its return.
static bool stale(struct probe_run *run, struct allocation *a, struct error *err) {
    const uint32_t secret = 0x5ec2e700u, poison = 0xdeadbeefu;
    const uint64_t bytes = (uint64_t)a->bytes;
    struct buffer one = {0}, again = {0};
    uint32_t before = 0, after = 0;
    bool ok = pool_take(&a->pool, run->gpu, bytes, &one, err) && fill_and_read(run, &one, &secret, &before, err) &&
              fill_and_read(run, &one, &poison, &before, err);
    const struct buffer_handle *handle = one.handle;
    pool_give(&a->pool, run->gpu, &one);
    ok = ok && pool_take(&a->pool, run->gpu, bytes, &again, err) && fill_and_read(run, &again, NULL, &after, err);
    if (ok && (again.bytes < bytes || again.handle != handle))
        probe_fails(run, "the pool returned a buffer other than its own");
    if (ok && after != poison)
        probe_fails(run, "a buffer that was poisoned came back from the pool with other contents");
    if (again.handle) pool_give(&a->pool, run->gpu, &again);
    return ok;
}

bool probe_allocate(struct probe_run *run, struct error *err) {
    struct allocation *a = arena_alloc(run->arena, 1, sizeof *a);
    *a = (struct allocation){
        .pooled = probe_is(run, "pool"), .bytes = probe_dim(run, "bytes"), .n = probe_dim(run, "n")};
    bool ok = probe_sample(run, requests, a, why_host, err);
    if (ok && a->pooled) {
        probe_fact(run, "hit_rate", (double)a->pool.hits / (double)a->pool.requests);
        probe_fact(run, "waste", a->pool.given / a->pool.asked);
        probe_fact(run, "allocations", (double)(a->pool.requests - a->pool.hits));
        probe_fact(run, "requests", (double)a->pool.requests);
        ok = stale(run, a, err);
    }
    pool_close(&a->pool, run->gpu);
    return ok;
}

// ---- the largest buffer

static bool one_buffer(struct probe_run *run, void *user, double ns[FIGURE_COUNT], struct error *err) {
    const uint64_t *bytes = user;
    struct buffer buffer;
    int64_t start = clock_ns();
    if (!buffer_create(run->gpu, BUFFER_DEVICE, *bytes, &buffer, err)) return false;
    ns[FIGURE_COMPUTE] = (double)(clock_ns() - start);
    buffer_destroy(run->gpu, &buffer);
    return true;
}

// Finds the greatest power of two that can be allocated. A CPU's memory is shared by all, so the search ends at any
// point's share. Some drivers overstate their free memory (SwiftShader: 1 GiB, and then refuses it). A refusal
// therefore ends the search, too. If a driver refuses a size it gave before, the following samples fail.
static bool climb(struct probe_run *run, uint64_t *largest, struct error *err) {
    const struct device_info *info = gpu_info(run->gpu);
    double share = info->kind == DEVICE_CPU ? run->options->settings.memory_share : 1;
    *largest = 0;
    for (uint64_t bytes = (uint64_t)1 << 20; (double)bytes <= share * (double)device_memory(info); bytes *= 2) {
        struct buffer buffer;
        if (!buffer_create(run->gpu, BUFFER_DEVICE, bytes, &buffer, err))
            return err->requested > 0 && (*largest > 0 || err->kind == ERROR_OUT_OF_MEMORY);
        buffer_destroy(run->gpu, &buffer);
        *largest = bytes;
    }
    return true;
}

// ---- the largest buffer of a fragmented memory

static const uint64_t most_of_host = (uint64_t)128 << 20; // of a CPU's memory, because it is shared by all

// Equal blocks of the device's memory.
struct memory_blocks {
    struct buffer *items;
    int64_t count;
    double filled; // bytes
    bool refused;  // there is no memory for one more
};

// Allocates blocks until one is refused, or until they would take all the memory. Some drivers give more than that,
// from the host's memory.
static bool fill_memory(
    struct probe_run *run, uint64_t bytes, int64_t most, struct memory_blocks *out, struct error *err) {
    for (; out->count < most; out->count++) {
        struct buffer *block = &out->items[out->count];
        if (!buffer_create(run->gpu, BUFFER_DEVICE, bytes, block, err)) {
            if (!err->requested || out->count < 4) return false;
            *err = (struct error){0};
            out->refused = true;
            return true;
        }
        out->filled += (double)block->bytes;
    }
    return true;
}

// Frees every second block, and returns their bytes.
static double free_half(struct probe_run *run, struct memory_blocks *blocks) {
    double freed = 0;
    for (int64_t i = 0; i < blocks->count; i += 2) {
        freed += (double)blocks->items[i].bytes;
        buffer_destroy(run->gpu, &blocks->items[i]);
    }
    return freed;
}

// Finds the largest buffer that is given: `bytes`, half of them, a quarter and so on, down to one block.
static bool descend(struct probe_run *run, uint64_t bytes, uint64_t block, uint64_t *largest, struct error *err) {
    for (*largest = bytes;; *largest = *largest / 2 > block ? *largest / 8 * 4 : block) {
        struct buffer buffer;
        if (buffer_create(run->gpu, BUFFER_DEVICE, *largest, &buffer, err)) {
            buffer_destroy(run->gpu, &buffer);
            return true;
        }
        if (!err->requested || *largest <= block) return false;
        *err = (struct error){0};
    }
}

// The freed memory is in pieces of one block. Whether a buffer of many blocks is still given shows if the driver can
// join them. Nothing is said where no block was refused, because other memory was free then. A tenth of the freed bytes
// is left to the driver.
static bool fragment(struct probe_run *run, struct error *err) {
    const struct device_info *info = gpu_info(run->gpu);
    const int64_t n = probe_dim(run, "n");
    uint64_t memory = device_memory(info), largest = 0;
    if (info->kind == DEVICE_CPU && memory > most_of_host) memory = most_of_host;
    const uint64_t block = memory / (uint64_t)n / 4 * 4 + 4;
    struct memory_blocks blocks = {.items = arena_alloc(run->arena, (size_t)n + 1, sizeof *blocks.items)};
    bool ok = fill_memory(run, block, n, &blocks, err);
    const double freed = ok ? free_half(run, &blocks) : 0;
    const uint64_t most = info->largest_allocation ? info->largest_allocation : UINT64_MAX;
    const uint64_t wanted = (uint64_t)(0.9 * freed) / 4 * 4, asked = wanted < most ? wanted : most / 4 * 4;
    ok = ok && descend(run, asked > block ? asked : block, block, &largest, err);
    if (ok) {
        if (blocks.refused) probe_fact(run, "asked_bytes", (double)asked);
        probe_fact(run, "largest_bytes", (double)largest);
        probe_fact(run, "buffers", (double)blocks.count);
        probe_fact(run, "filled_bytes", blocks.filled);
        probe_fact(run, "held_bytes", blocks.filled - freed);
        probe_fact(run, "memory_bytes", (double)device_memory(info));
        ok = probe_sample(run, one_buffer, &largest, why_host, err);
    }
    for (int64_t i = 0; i < blocks.count; i++) buffer_destroy(run->gpu, &blocks.items[i]);
    return ok;
}

static const char *refusal(const struct error *refused) {
    if (refused->kind != ERROR_OUT_OF_MEMORY)
        return "an allocation above the device's memory was not refused as out of memory";
    return refused->requested > refused->available ? NULL
                                                   : "a refusal reports more available memory than was requested";
}

bool probe_memory(struct probe_run *run, struct error *err) {
    const struct device_info *info = gpu_info(run->gpu);
    uint64_t largest,
        beyond = info->largest_allocation > device_memory(info) ? info->largest_allocation : device_memory(info);
    struct error refused = {0};
    struct buffer buffer;
    if (probe_is(run, "fragmented")) return fragment(run, err);
    if (!climb(run, &largest, err)) return false;
    if (!largest) return error_of_kind(err, ERROR_SKIP, "not even 1 MiB could be allocated");
    if (buffer_create(run->gpu, BUFFER_DEVICE, beyond + 4096, &buffer, &refused)) {
        buffer_destroy(run->gpu, &buffer);
        probe_fails(run, "a buffer larger than the device's memory was allocated");
    } else if (refusal(&refused)) {
        probe_fails(run, refusal(&refused));
    }
    probe_fact(run, "largest_bytes", (double)largest);
    probe_fact(run, "requested_bytes", (double)refused.requested);
    probe_fact(run, "available_bytes", (double)refused.available);
    probe_fact(run, "binding_bytes", (double)info->storage_range);
    probe_fact(run, "allocation_bytes", (double)info->largest_allocation);
    if (!probe_sample(run, one_buffer, &largest, why_host, err)) return false;
    return work_begin(run->gpu, run->work, err) && work_end(run->gpu, run->work, err) && // it still works
           work_run(run->gpu, run->work, run->options->timeout_s, NULL, NULL, err);
}
