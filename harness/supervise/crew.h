// SPDX-License-Identifier: Apache-2.0
// Several workers on one device: a thread for each.
#ifndef VKASSAY_SUPERVISE_CREW_H
#define VKASSAY_SUPERVISE_CREW_H

enum { CREW_MOST = 64 };

// Calls work(user, i) for each i in [0, jobs) at once, the first on this thread, and returns when all have; where a
// thread cannot be had there are fewer, so that each must take from what there is to do until nothing is left. A worker
// dies with the thread that started it (process.h): those of the others must be gone when their call returns.
void crew_run(int jobs, void (*work)(void *user, int job), void *user);

// How many of the host's cores each of so many workers may use, 1 at least.
int crew_threads(int jobs);

#endif
