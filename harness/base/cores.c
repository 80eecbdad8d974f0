// SPDX-License-Identifier: Apache-2.0
#include "cores.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Attributes for the helpers of a process with its own core.
static pthread_attr_t helper;
static int usable; // hardware threads of the process and its helpers; 0: no core taken

int cores_usable(void) {
    cpu_set_t set;
    if (usable) return usable;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
    long cores = sysconf(_SC_NPROCESSORS_ONLN); // more cores than a cpu_set_t has bits for
    return cores < 1 ? 1 : (int)cores;
}

// ---- work on several threads

int workers_threads(int jobs) {
    int share = cores_usable() / jobs;
    return share > 1 ? share : 1;
}

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

// ---- whole cores

// Returns the first hardware thread of a thread's core, or the thread itself if the system does not say.
static int core_of(int thread) {
    char path[100];
    int first = thread;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", thread);
    FILE *file = fopen(path, "re");
    if (!file) return thread;
    if (fscanf(file, "%d", &first) != 1) first = thread;
    fclose(file);
    return first;
}

int cores_share_out(const int *of_core, int threads, int count, int *share) {
    int cores = 0;
    for (int i = 0; i < threads; i++) {
        int k = 0;
        while (of_core[k] != of_core[i]) k++;
        share[i] = k < i ? share[k] : cores++; // index of its core
    }
    // Neighbouring cores stay together because they share a socket and its memory.
    for (int i = 0; cores >= count && i < threads; i++) share[i] = (int)((long long)share[i] * count / cores);
    return cores;
}

// Lists the hardware threads available to this process, with the core of each.
static int list_threads(int threads[CPU_SETSIZE], int of_core[CPU_SETSIZE]) {
    cpu_set_t set;
    int count = 0;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 0;
    for (int i = 0; i < CPU_SETSIZE; i++) {
        if (!CPU_ISSET((size_t)i, &set)) continue;
        of_core[count] = core_of(i);
        threads[count++] = i;
    }
    return count;
}

int cores_whole(void) {
    int threads[CPU_SETSIZE], of_core[CPU_SETSIZE], share[CPU_SETSIZE];
    int count = list_threads(threads, of_core);
    return count ? cores_share_out(of_core, count, 1, share) : cores_usable();
}

// ---- one core for each process, and the rest for all

int cores_set_out(const int *of_core, int threads, int count, int *owner) {
    int share[CPU_SETSIZE];
    int cores = cores_share_out(of_core, threads, count, share);
    for (int i = 0; i < threads; i++) {
        int first = 0; // first thread of the share; the owner gets its core only
        while (share[first] != share[i]) first++;
        owner[i] = of_core[first] == of_core[i] ? share[i] : -1;
    }
    return cores;
}

// Parses hardware threads separated by commas.
static bool parse_threads(const char *text, cpu_set_t *set) {
    CPU_ZERO(set);
    while (*text) {
        char *end;
        unsigned long thread = strtoul(text, &end, 10);
        if (end == text || thread >= CPU_SETSIZE || (*end && *end != ',')) return false;
        CPU_SET((size_t)thread, set);
        text = *end ? end + 1 : end;
    }
    return CPU_COUNT(set) > 0;
}

bool cores_leave(int index, int count, struct core_part *out) {
    int threads[CPU_SETSIZE], of_core[CPU_SETSIZE], owner[CPU_SETSIZE];
    int listed = list_threads(threads, of_core);
    size_t length = 0;
    cpu_set_t rest, mine;
    CPU_ZERO(&rest);
    CPU_ZERO(&mine);
    *out = (struct core_part){.own = ""};
    if (!listed || cores_set_out(of_core, listed, count, owner) < count) return false;
    for (int i = 0; i < listed; i++) {
        if (owner[i] < 0) CPU_SET((size_t)threads[i], &rest);
        if (owner[i] != index) continue;
        CPU_SET((size_t)threads[i], &mine);
        length += (size_t)snprintf(out->own + length, sizeof out->own - length, length ? ",%d" : "%d", threads[i]);
        if (length >= sizeof out->own) return false;
    }
    out->own_threads = CPU_COUNT(&mine);
    out->threads = CPU_COUNT(&mine) + CPU_COUNT(&rest);
    return sched_setaffinity(0, sizeof rest, CPU_COUNT(&rest) ? &rest : &mine) == 0;
}

bool cores_take(const char *own) {
    cpu_set_t before, mine, all;
    if (!parse_threads(own, &mine) || sched_getaffinity(0, sizeof before, &before) != 0) return false;
    CPU_OR(&all, &before, &mine);
    if (!usable && pthread_attr_init(&helper) != 0) return false;
    usable = pthread_attr_setaffinity_np(&helper, sizeof before, &before) == 0 ? CPU_COUNT(&all) : 0;
    return usable && sched_setaffinity(0, sizeof mine, &mine) == 0;
}

const pthread_attr_t *cores_helper(void) {
    return usable ? &helper : NULL;
}
