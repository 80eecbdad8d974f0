// SPDX-License-Identifier: Apache-2.0
// Compiles machine code before its first use. Mesa's llvmpipe generates it at the first dispatch, on the one thread of
// a device's queue, so the first suite on a new machine waits for one core. Other devices of the same driver compile
// here side by side, by dispatches without workgroups, and fill the driver's cache on disk.
#include "internal.h"

#include "../../base/memory.h"

#include <pthread.h>
#include <stdlib.h>

enum { MOST_COMPILERS = 8 };                          // devices; each one of llvmpipe starts up to 32 threads
static const double compile_timeout_s = 600;          // a hang of the driver is caught by the watcher of the process
static const int64_t noticeable_ns = 5 * 1000 * 1000; // a shorter first dispatch compiled nothing, or loaded it

struct first_use {
    pthread_mutex_t lock;    // of everything below, and of the tried device's queue
    pthread_cond_t returned; // a device has ended its work
    struct gpu *idle[MOST_COMPILERS];
    int idle_count, at_work;                             // both together at most MOST_COMPILERS
    bool open;                                           // between gpu_prebuild_begin and gpu_prebuild_end
    enum { UNKNOWN, SHARES_CODE, COMPILES_AGAIN } knows; // of code compiled on another device
};

struct compiled_once {
    struct program *program;
    struct buffer buffer; // bound everywhere; nothing reads it
    struct work *work;
};

static void compiled_release(struct gpu *gpu, struct compiled_once *c) {
    work_destroy(gpu, c->work);
    program_destroy(gpu, c->program);
    buffer_destroy(gpu, &c->buffer);
}

// Dispatches no workgroups of the program. Returns the time until it ended; a negative time if that failed.
static int64_t first_dispatch(struct gpu *gpu, const struct program *program, struct compiled_once *c) {
    static const uint32_t none[3] = {0}, push[PROGRAM_PUSH_BYTES / 4] = {0};
    struct binding bindings[PROGRAM_BINDINGS];
    struct error err;
    int64_t ns = -1;
    if (!buffer_recycle(gpu, BUFFER_DEVICE, 256, &c->buffer, &err)) return -1;
    for (int i = 0; i < PROGRAM_BINDINGS; i++) bindings[i] = (struct binding){&c->buffer, 0, c->buffer.bytes};
    c->work = work_create(gpu, 0, &err);
    return c->work && work_begin(gpu, c->work, &err) &&
                   work_dispatch(gpu, c->work, program, bindings, push, none, &err) && work_end(gpu, c->work, &err) &&
                   work_run(gpu, c->work, compile_timeout_s, &ns, NULL, &err)
               ? ns
               : -1;
}

// Creates the program on the other device and dispatches nothing. Returns the time of the dispatch, negative after a
// failure.
static int64_t compile_on(struct gpu *other, const struct program_desc *desc) {
    struct compiled_once c = {0};
    struct error err;
    c.program = program_create(other, desc, NULL, &err);
    const int64_t ns = c.program ? first_dispatch(other, c.program, &c) : -1;
    compiled_release(other, &c);
    return ns;
}

// Returns an idle device or opens one. NULL: no code is compiled ahead.
static struct gpu *take(struct first_use *use, const struct device_info *info) {
    static const struct gpu_options plain = {0};
    struct error err;
    struct gpu *other = NULL;
    pthread_mutex_lock(&use->lock);
    while (use->at_work == MOST_COMPILERS) pthread_cond_wait(&use->returned, &use->lock);
    if (use->knows != COMPILES_AGAIN)
        other = use->idle_count ? use->idle[--use->idle_count] : gpu_open(info, &plain, &err);
    use->at_work += other != NULL;
    pthread_mutex_unlock(&use->lock);
    return other;
}

// Takes the device back, or closes it if its compilation shall decide. Returns whether it shall.
static bool give(struct first_use *use, struct gpu *other, int64_t ns) {
    pthread_mutex_lock(&use->lock);
    const bool decides = ns >= noticeable_ns && use->knows == UNKNOWN;
    const bool keep = !decides && !other->abandoned;
    if (keep) use->idle[use->idle_count++] = other;
    use->at_work--;
    pthread_cond_signal(&use->returned);
    pthread_mutex_unlock(&use->lock);
    if (!keep) gpu_close(other);
    return decides;
}

// Decides by one program if the driver finds the code of another device, which is closed by now and has written it:
// the first dispatch here is then much shorter.
static void try_here(struct gpu *gpu, const struct program *program, int64_t elsewhere_ns) {
    struct first_use *use = gpu->first_use;
    pthread_mutex_lock(&use->lock);
    if (use->knows == UNKNOWN) {
        struct compiled_once c = {0};
        const int64_t here_ns = first_dispatch(gpu, program, &c);
        compiled_release(gpu, &c);
        use->knows = here_ns >= 0 && here_ns <= elsewhere_ns / 2 ? SHARES_CODE : COMPILES_AGAIN;
    }
    pthread_mutex_unlock(&use->lock);
}

static void compile(struct gpu *gpu, const struct program_desc *desc, const struct program *program) {
    struct first_use *use = gpu->first_use;
    if (!use->open || desc->uncached) return;
    struct gpu *other = take(use, &gpu->info);
    if (!other) return;
    const int64_t ns = compile_on(other, desc);
    const bool decides = give(use, other, ns);
    if (decides) try_here(gpu, program, ns);
}

void gpu_prebuild_end(struct gpu *gpu) {
    struct first_use *use = gpu->first_use;
    if (!use) return;
    use->open = false;
    while (use->idle_count) gpu_close(use->idle[--use->idle_count]);
}

static void close_all(struct gpu *gpu) {
    gpu_prebuild_end(gpu);
    pthread_cond_destroy(&gpu->first_use->returned);
    pthread_mutex_destroy(&gpu->first_use->lock);
    free(gpu->first_use);
    gpu->first_use = NULL;
}

// Only drivers on the host's cores are known to delay the compiler. Another device of a GPU would take its memory.
void gpu_prebuild_begin(struct gpu *gpu) {
    if (gpu->info.kind != DEVICE_CPU || !gpu->may_prebuild) return;
    if (!gpu->first_use) {
        gpu->first_use = memory_alloc(1, sizeof *gpu->first_use);
        pthread_mutex_init(&gpu->first_use->lock, NULL);
        pthread_cond_init(&gpu->first_use->returned, NULL);
        gpu->first_use_compile = compile;
        gpu->first_use_close = close_all;
    }
    gpu->first_use->open = true;
}
