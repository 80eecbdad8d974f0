// SPDX-License-Identifier: Apache-2.0
#include "parallel.h"

#include "cores.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { MOST_THREADS = 64 };

static int limit;

void parallel_limit(int threads) {
    limit = threads;
}

struct parallel_loop {
    int64_t total, chunk;
    atomic_int_least64_t next;
    void (*body)(void *context, int64_t first, int64_t count);
    void *context;
};

static void *work_off(void *argument) {
    struct parallel_loop *loop = argument;
    for (;;) {
        int64_t first = atomic_fetch_add(&loop->next, loop->chunk);
        if (first >= loop->total) return NULL;
        int64_t left = loop->total - first;
        loop->body(loop->context, first, left < loop->chunk ? left : loop->chunk);
    }
}

static int64_t threads_for(int64_t pieces) {
    int64_t threads = cores_usable();
    if (threads > MOST_THREADS) threads = MOST_THREADS;
    if (limit && limit < threads) threads = limit;
    return threads < pieces ? threads : pieces;
}

// Threads in addition to the caller's. The first of them starts the others, to spread them better. The system puts a
// new thread where there is room, unless it may not run on its starter's core; then the choice is poor.
struct team {
    struct parallel_loop *loop;
    int64_t threads;
};

static void *lead(void *argument) {
    const struct team *team = argument;
    pthread_t started[MOST_THREADS];
    int64_t count = 0;
    while (count < team->threads - 1 && pthread_create(&started[count], NULL, work_off, team->loop) == 0) count++;
    work_off(team->loop);
    for (int64_t i = 0; i < count; i++) pthread_join(started[i], NULL);
    return NULL;
}

static void work_together(struct parallel_loop *loop, int64_t threads) {
    struct team team = {loop, threads - 1};
    pthread_t leader;
    bool led = team.threads > 0 && pthread_create(&leader, cores_helper(), lead, &team) == 0;
    work_off(loop);
    if (led) pthread_join(leader, NULL);
}

void parallel_for(
    int64_t total, int64_t grain, void (*body)(void *context, int64_t first, int64_t count), void *context) {
    if (total <= 0) return;
    int64_t grains = (total + grain - 1) / grain, threads = threads_for(grains);
    // Four chunks a thread even out cores of unequal speed.
    int64_t chunk = (grains + threads * 4 - 1) / (threads * 4) * grain;
    struct parallel_loop loop = {.total = total, .chunk = chunk, .body = body, .context = context};
    work_together(&loop, threads);
}

void parallel_each(int64_t total, void (*body)(void *context, int64_t first, int64_t count), void *context) {
    if (total <= 0) return;
    struct parallel_loop loop = {.total = total, .chunk = 1, .body = body, .context = context};
    work_together(&loop, threads_for(total));
}

struct parallel_comparing {
    const unsigned char *a, *b;
    atomic_bool differs;
};

static void compare_chunk(void *context, int64_t first, int64_t count) {
    struct parallel_comparing *c = context;
    if (memcmp(c->a + first, c->b + first, (size_t)count) != 0) atomic_store(&c->differs, true);
}

bool parallel_equal(const void *a, const void *b, uint64_t bytes) {
    struct parallel_comparing comparing = {.a = a, .b = b};
    parallel_for((int64_t)bytes, 1 << 20, compare_chunk, &comparing);
    return !atomic_load(&comparing.differs);
}
