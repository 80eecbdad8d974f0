// SPDX-License-Identifier: Apache-2.0
// The host's cores available to this process, at least 1. Under taskset or in a container they may be fewer than the
// host has.
#ifndef VKASSAY_BASE_CORES_H
#define VKASSAY_BASE_CORES_H

#include <pthread.h>
#include <stdbool.h>

int cores_usable(void); // after cores_take: for the process and its helpers

// Returns how many of them each of `jobs` workers may use, at least 1.
int workers_threads(int jobs);

enum { WORKERS_MOST = 64 };
// Calls work(user, i) at once for each i in [0, jobs), the first on this thread, and returns when all calls have
// returned. If a thread cannot be had, there are fewer calls, so each call must take work until none is left. A
// process that a thread started may die with it (process.h), so it must be gone when the call returns.
void workers_run(int jobs, void (*work)(void *user, int job), void *user);

// Returns the number of whole cores among them: the hardware threads of one core count once.
int cores_whole(void);

// Assigns hardware threads to shares. Thread i belongs to core of_core[i], and share[i] receives its share, 0 to
// count - 1. Returns the number of cores; if it is less than `count`, there are no shares.
int cores_share_out(const int *of_core, int threads, int count, int *share);

// ---- one core for each of several processes, and the rest for all of them

// The hardware threads of one of these processes.
struct core_part {
    char own[200];            // its own hardware threads, separated by commas
    int own_threads, threads; // number of its own, and including the shared ones
};

// Reserves one whole core for each of `count` processes, and reports the index-th (from 0). Keeps the calling thread,
// and the threads it starts, off the reserved cores. If no other core is left, the thread is kept on the index-th.
// Returns false and changes nothing if there are fewer whole cores than `count`, or if the system refuses.
bool cores_leave(int index, int count, struct core_part *out);

// Keeps the calling thread, and the threads it starts, on the hardware threads `own`. Helpers started with
// cores_helper stay on the previous set. Call it once in a process, before it has threads.
bool cores_take(const char *own);
const pthread_attr_t *cores_helper(void); // NULL: start it like any other thread

// Assigns the first core of each share to the share's owner. owner[i] is -1 if hardware thread i belongs to nobody;
// otherwise as cores_share_out.
int cores_set_out(const int *of_core, int threads, int count, int *owner);

#endif
