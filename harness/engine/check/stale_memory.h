// SPDX-License-Identifier: Apache-2.0
// Fills shared memory and registers before a kernel runs. The specification leaves their contents open. A driver with
// fresh memory has zeros there, but a kernel must not rely on them. Before each checked run, "stale_memory.comp" of the
// include folders fills the most shared memory of a workgroup, on all cores, and many registers. The first run gets
// NaN in every float type. Other runs get large numbers, because a maximum may ignore NaN.
#ifndef VKASSAY_CHECK_STALE_MEMORY_H
#define VKASSAY_CHECK_STALE_MEMORY_H

#include "../vulkan/gpu.h"
#include "../plan/run_options.h"

struct stale_memory;

// Returns NULL on failure.
struct stale_memory *stale_memory_open(struct gpu *gpu, const struct run_options *options, struct error *err);
void stale_memory_close(struct gpu *gpu, struct stale_memory *stale_memory); // accepts NULL
// Records the filling and a barrier behind it. The caller records a barrier before it.
bool stale_memory_record(
    struct gpu *gpu, struct work *work, const struct stale_memory *stale_memory, uint32_t run, struct error *err);
// Records the change of one word in eight, at places drawn by `key`, and of all words still equal to `old`, to `word`.
// The binding has at most UINT32_MAX words. The caller records a barrier before it and behind it.
bool stale_memory_disturb(struct gpu *gpu, struct work *work, const struct stale_memory *stale_memory,
    const struct binding *binding, uint32_t key, uint32_t old, uint32_t word, struct error *err);

#endif
