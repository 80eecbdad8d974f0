// SPDX-License-Identifier: Apache-2.0
#include "stale_memory.h"

#include "../../device/limits.h"
#include "../../base/cores.h"
#include "../../base/memory.h"
#include "../program/shaders.h"
#include "../../device/device_info.h"

#include <stdlib.h>

// Words of 0x7fff are NaN in f16 and bf16, and as a pair in f32. Words of 0x7f7f are large in bf16, and as a pair in
// f32.
enum { NOT_A_NUMBER = 0x7fff7fff, LARGE = 0x7f7f7f7f, BYTES = 97 * 4 };
// Enough workgroups for each core of a GPU and for each thread of a CPU's driver. Such threads take a while to wake.
enum { GPU_GROUPS = 2048, GROUPS_OF_CORE = 8, MOST_CORES = 256 };

struct stale_memory {
    struct program *program, *disturb;
    struct buffer buffer;
    uint32_t groups;
};

// The parameters of disturb.comp.
struct disturb_words {
    uint32_t count, key, old, word;
};
enum { DISTURB_GROUP = 64 * 8, MOST_GROUPS = 65535 }; // words of a workgroup; workgroups on every device

static struct program *build(
    struct gpu *gpu, const struct run_options *options, const char *file, struct program_desc desc, struct error *err) {
    struct arena arena = {0};
    struct spirv spirv;
    struct program *program = NULL;
    if (shader_of_includes(&arena, options, file, NULL, options->cache_folder, &spirv, err)) {
        desc.label = file;
        desc.spirv = spirv.words;
        desc.words = spirv.count;
        program = program_create(gpu, &desc, NULL, err);
    }
    arena_free(&arena);
    return program;
}

struct stale_memory *stale_memory_open(struct gpu *gpu, const struct run_options *options, struct error *err) {
    struct stale_memory *stale_memory = memory_alloc(1, sizeof *stale_memory);
    const int cores = cores_usable();
    stale_memory->groups = gpu_info(gpu)->kind != DEVICE_CPU
                               ? GPU_GROUPS
                               : GROUPS_OF_CORE * (uint32_t)(cores > MOST_CORES ? MOST_CORES : cores);
    const struct program_desc fill = {
        .bindings = 1, .push_bytes = 4, .constants = {{0, gpu_info(gpu)->shared_bytes / 4}}, .constant_count = 1};
    const struct program_desc disturb = {.bindings = 1, .push_bytes = sizeof(struct disturb_words)};
    stale_memory->program = build(gpu, options, "stale_memory.comp", fill, err);
    if (stale_memory->program) stale_memory->disturb = build(gpu, options, "disturb.comp", disturb, err);
    if (stale_memory->disturb && buffer_create(gpu, BUFFER_DEVICE, BYTES, &stale_memory->buffer, err))
        return stale_memory;
    stale_memory_close(gpu, stale_memory);
    return NULL;
}

void stale_memory_close(struct gpu *gpu, struct stale_memory *stale_memory) {
    if (!stale_memory) return;
    if (stale_memory->program) program_destroy(gpu, stale_memory->program);
    if (stale_memory->disturb) program_destroy(gpu, stale_memory->disturb);
    buffer_destroy(gpu, &stale_memory->buffer);
    free(stale_memory);
}

bool stale_memory_record(
    struct gpu *gpu, struct work *work, const struct stale_memory *stale_memory, uint32_t run, struct error *err) {
    const struct binding binding = {&stale_memory->buffer, 0, BYTES};
    const uint32_t word = run == 1 ? NOT_A_NUMBER : LARGE;
    work_fill(work, &stale_memory->buffer, 0, BYTES, word);
    work_barrier(work);
    if (!work_dispatch(
            gpu, work, stale_memory->program, &binding, &word, (uint32_t[3]){stale_memory->groups, 1, 1}, err))
        return false;
    work_barrier(work);
    return true;
}

bool stale_memory_disturb(struct gpu *gpu, struct work *work, const struct stale_memory *stale_memory,
    const struct binding *binding, uint32_t key, uint32_t old, uint32_t word, struct error *err) {
    const uint64_t count = binding->bytes / 4, groups = (count + DISTURB_GROUP - 1) / DISTURB_GROUP;
    const struct disturb_words push = {(uint32_t)count, key, old, word};
    return work_dispatch(gpu, work, stale_memory->disturb, binding, &push,
        (uint32_t[3]){(uint32_t)(groups < MOST_GROUPS ? groups : MOST_GROUPS), 1, 1}, err);
}
