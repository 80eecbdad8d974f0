// SPDX-License-Identifier: Apache-2.0
#include "workers.h"

#include "../base/cores.h"

#include <pthread.h>

struct worker_thread {
    void (*work)(void *user, int job);
    void *user;
    int job;
    pthread_t thread;
};

static void *begin(void *argument) {
    struct worker_thread *thread = argument;
    thread->work(thread->user, thread->job);
    return NULL;
}

void workers_run(int jobs, void (*work)(void *user, int job), void *user) {
    struct worker_thread threads[WORKERS_MOST];
    int started = 1;
    for (; started < jobs && started < WORKERS_MOST; started++) {
        threads[started] = (struct worker_thread){.work = work, .user = user, .job = started};
        if (pthread_create(&threads[started].thread, NULL, begin, &threads[started]) != 0) break;
    }
    work(user, 0);
    for (int i = 1; i < started; i++) pthread_join(threads[i].thread, NULL);
}

int workers_threads(int jobs) {
    int share = cores_usable() / jobs;
    return share > 1 ? share : 1;
}
