// SPDX-License-Identifier: Apache-2.0
// Several workers at once, with a thread for each.
#ifndef VKASSAY_SUPERVISE_WORKERS_H
#define VKASSAY_SUPERVISE_WORKERS_H

enum { WORKERS_MOST = 64 };

// Calls work(user, i) at once for each i in [0, jobs), the first on this thread, and returns when all calls have
// returned. If a thread cannot be had, there are fewer calls, so each call must take work until none is left. A
// worker dies with the thread that started it (process.h), so the other threads' workers must be gone when their call
// returns.
void workers_run(int jobs, void (*work)(void *user, int job), void *user);

// Returns how many of the host's cores each of `jobs` workers may use, at least 1.
int workers_threads(int jobs);

#endif
