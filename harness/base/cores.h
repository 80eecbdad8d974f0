// SPDX-License-Identifier: Apache-2.0
// The host's cores that this process may use, 1 at least: fewer than there are under taskset or in a container that
// was given some of them.
#ifndef VKASSAY_BASE_CORES_H
#define VKASSAY_BASE_CORES_H

#include <pthread.h>
#include <stdbool.h>

int cores_usable(void); // in a process that took a core (cores_take): by it and its helpers

// Whole cores among them: the hardware threads of one core count once.
int cores_whole(void);

// Keeps the calling thread, and what it starts, on the index-th (from 0) of `count` shares of whole cores, none of
// which are in two shares. False, and nothing is changed: there are fewer whole cores than shares, or the system says
// no.
bool cores_take_share(int index, int count);

// Which share each hardware thread is in: of_core[i] names the core that thread i is of, the same for those of one
// core; share[i] receives 0 to count - 1. Returns the number of cores; where that is less than `count`, nothing is
// shared out.
int cores_share_out(const int *of_core, int threads, int count, int *share);

// ---- a core for each of several processes, and the rest for all of them

// What one of them has.
struct core_part {
    char own[200];            // its hardware threads, with commas between
    int own_threads, threads; // how many they are, and with those of all
};

// Keeps the calling thread, and what it starts, off the cores that are set apart, one whole core for each of `count`,
// and says which the index-th (from 0) is. Where no core is left the thread is kept on that one. False, and nothing is
// changed: there are fewer whole cores than `count`, or the system says no.
bool cores_leave(int index, int count, struct core_part *out);

// Keeps the calling thread, and what it starts, on those hardware threads. Those that it starts to help it, by
// cores_helper, are kept on what it was on before. Once in a process, before it has threads.
bool cores_take(const char *own);
const pthread_attr_t *cores_helper(void); // NULL: as any other thread

// Whose core each hardware thread is of, -1: nobody's; else as cores_share_out. The first core of each share.
int cores_set_out(const int *of_core, int threads, int count, int *owner);

#endif
