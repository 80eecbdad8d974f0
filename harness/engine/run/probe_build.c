// SPDX-License-Identifier: Apache-2.0
// Shaders and pipelines: the cost of making one cold, from a cache, or if the process has it already.
#include "probe.h"

#include "../../base/clock.h"
#include "../../base/hash.h"

#include <stdio.h>
#include <unistd.h>

static const char why_host[] = "the driver builds on the host";

// ---- pipelines

struct build {
    struct spirv spirv;
    struct program **programs; // n of them, if they are kept
    uint64_t *keys;
    uint32_t salt;
    int64_t n;
    bool cold;
};

// Makes pipelines cold each time, or through the cache. The first cached round fills the cache and is a warm-up.
static bool made(struct probe_run *run, void *user, double ns[FIGURE_COUNT], struct error *err) {
    struct build *b = user;
    int64_t spent = 0;
    for (int64_t i = 0; i < b->n; i++) {
        int64_t start = clock_ns();
        struct program *program = probe_program(run, &b->spirv, b->cold ? ++b->salt : (uint32_t)i, b->cold, err);
        spent += clock_ns() - start;
        if (!program) return false;
        program_destroy(run->gpu, program);
    }
    ns[FIGURE_COMPUTE] = (double)spent / (double)b->n;
    return true;
}

static uint64_t key_of(const struct build *b, uint32_t salt) {
    return hash_bytes(hash_bytes(HASH_START, &b->spirv.source_hash, sizeof b->spirv.source_hash), &salt, sizeof salt);
}

// Looks up kept pipelines by key, as a backend does before each call.
static bool kept(struct probe_run *run, void *user, double ns[FIGURE_COUNT], struct error *err) {
    const struct build *b = user;
    (void)run;
    int64_t start = clock_ns();
    for (int64_t i = 0; i < b->n; i++) {
        const uint64_t key = key_of(b, (uint32_t)i);
        int64_t at = 0;
        while (at < b->n && b->keys[at] != key) at++;
        if (at == b->n || !b->programs[at]) return error_set(err, STATUS_FAULT, "a kept pipeline is not found");
    }
    ns[FIGURE_COMPUTE] = (double)(clock_ns() - start) / (double)b->n;
    return true;
}

static bool keep_all(struct probe_run *run, struct build *b, struct error *err) {
    b->programs = arena_alloc(run->arena, (size_t)b->n, sizeof(struct program *));
    b->keys = arena_alloc(run->arena, (size_t)b->n, sizeof *b->keys);
    for (int64_t i = 0; i < b->n; i++) {
        b->keys[i] = key_of(b, (uint32_t)i);
        b->programs[i] = probe_program(run, &b->spirv, (uint32_t)i, false, err);
        if (!b->programs[i]) return false;
    }
    return true;
}

bool probe_pipeline(struct probe_run *run, struct error *err) {
    const int64_t now = clock_ns(), pid = getpid();
    const uint64_t fresh = hash_bytes(hash_bytes(HASH_START, &now, sizeof now), &pid, sizeof pid);
    // The salt is unused by earlier runs, because drivers have their own caches on disk.
    struct build b = {.n = probe_dim(run, "n"), .salt = (uint32_t)(fresh >> 24), .cold = probe_is(run, "cold")};
    uint64_t before[2], after[2];
    gpu_cache_counts(run->gpu, &before[0], &before[1]);
    probe_step *step = b.cold || probe_is(run, "cached") ? made : kept;
    bool ok = probe_spirv(run, NULL, run->options->cache_folder, &b.spirv, err) &&
              (step != kept || keep_all(run, &b, err)) && probe_sample(run, step, &b, why_host, err);
    for (int64_t i = 0; b.programs && i < b.n; i++) program_destroy(run->gpu, b.programs[i]);
    gpu_cache_counts(run->gpu, &after[0], &after[1]);
    if (ok && after[0] + after[1] > before[0] + before[1]) {
        probe_fact(run, "cache_hits", (double)(after[0] - before[0]));
        probe_fact(run, "cache_misses", (double)(after[1] - before[1]));
    }
    return ok;
}

// ---- shaders

struct compile {
    int64_t n;
    const char *cache_folder;
};

static bool compile(struct probe_run *run, void *user, double ns[FIGURE_COUNT], struct error *err) {
    const struct compile *c = user;
    int64_t start = clock_ns();
    for (int64_t i = 0; i < c->n; i++) {
        char step[32];
        struct spirv spirv;
        snprintf(step, sizeof step, "%d.25", (int)i);
        if (!probe_spirv(run, &(struct define){.name = "STEP", .value = step}, c->cache_folder, &spirv, err))
            return false;
    }
    ns[FIGURE_COMPUTE] = (double)(clock_ns() - start) / (double)c->n;
    return true;
}

bool probe_shader(struct probe_run *run, struct error *err) {
    struct compile c = {.n = probe_dim(run, "n")};
    if (probe_is(run, "cached")) {
        c.cache_folder = run->options->cache_folder;
        if (!c.cache_folder) return error_of_kind(err, ERROR_SKIP, "there is no cache folder");
    }
    return probe_sample(run, compile, &c, why_host, err);
}
