// SPDX-License-Identifier: Apache-2.0
#include "silent_runs.h"

#include "../../base/hash.h"
#include "../../device/device_info.h"
#include "../program/shaders.h"
#include "../../record/record.h"
#include "runner.h"

#include <string.h>
#include <sys/stat.h>

enum { FIGURES = 4 };

// A new build may find more.
static bool hash_program(uint64_t *hash) {
    struct stat about;
    if (stat("/proc/self/exe", &about)) return false;
    const int64_t facts[] = {about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec};
    *hash = hash_bytes(*hash, facts, sizeof facts);
    return true;
}

static uint64_t hash_device(uint64_t hash, const struct device_info *device) {
    hash = hash_string(hash, device->device_uuid);
    hash = hash_string(hash, device->driver_uuid);
    hash = hash_string(hash, device->name);
    return hash_bytes(hash, &device->driver_version, sizeof device->driver_version);
}

static bool hash_code(const struct runner *runner, const struct point *small, uint64_t *hash) {
    struct loaded loaded[KERNEL_PASSES];
    struct arena scratch = {0};
    struct error err;
    const bool ok = shaders_load(&scratch, gpu_info(runner->gpu), &runner->options, small, loaded, &err);
    for (int i = 0; ok && i < small->kernel->pass_count; i++)
        *hash = hash_bytes(*hash, loaded[i].spirv.words, loaded[i].spirv.count * sizeof *loaded[i].spirv.words);
    arena_free(&scratch);
    return ok;
}

struct silent_run silent_run_of(struct arena *arena, const struct runner *runner, const struct point *small) {
    struct silent_run run = {0};
    const char *folder = runner->options.cache_folder;
    uint64_t hash = hash_string(HASH_START, small->name);
    hash = hash_bytes(hash, &small->kernel->manifest_hash, sizeof small->kernel->manifest_hash);
    hash = hash_device(hash, gpu_info(runner->gpu));
    if (!folder || runner->options.anew || !hash_program(&hash) || !hash_code(runner, small, &hash)) return run;
    const uint64_t halves[] = {hash, hash_string(hash, small->name)};
    memcpy(run.key, halves, CACHE_KEY_BYTES);
    run.path = arena_format(arena, "%s/sanitized/%016llx", folder, (unsigned long long)hash);
    return run;
}

bool silent_run_recall(const struct silent_run *run, struct record *record) {
    struct arena arena = {0};
    size_t length = 0;
    const int64_t *figures = run->path ? cache_file_read(&arena, run->path, run->key, &length) : NULL;
    const bool known = figures && length == FIGURES * sizeof *figures;
    if (known) {
        record->check.sanitized.accesses = figures[0];
        record->check.sanitized.dropped = figures[1];
        record->check.sanitized.groups_left_out = figures[2];
        record->check.sanitized.uses_addresses = figures[3];
    }
    arena_free(&arena);
    return known;
}

void silent_run_keep(const struct silent_run *run, const struct record *record) {
    const int64_t figures[FIGURES] = {record->check.sanitized.accesses, record->check.sanitized.dropped,
        record->check.sanitized.groups_left_out, record->check.sanitized.uses_addresses};
    if (record->status != RECORD_PASS || record->check.sanitized.findings || record->check.sanitized.why ||
        figures[0] <= 0 || !run->path)
        return;
    cache_file_write(run->path, run->key, figures, sizeof figures);
}
