// SPDX-License-Identifier: Apache-2.0
#include "cores.h"

#include <sched.h>
#include <stdio.h>
#include <unistd.h>

int cores_usable(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
    long cores = sysconf(_SC_NPROCESSORS_ONLN); // more than a set has room for
    return cores < 1 ? 1 : (int)cores;
}

// ---- whole cores

// The first hardware thread of the core that this one is of; itself where the system does not say.
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
        share[i] = k < i ? share[k] : cores++; // which core it is of
    }
    // Neighbours stay together: they share a socket, and its memory.
    for (int i = 0; cores >= count && i < threads; i++) share[i] = (int)((long long)share[i] * count / cores);
    return cores;
}

// The threads that this process may use, with the core of each.
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

bool cores_take_share(int index, int count) {
    int threads[CPU_SETSIZE], of_core[CPU_SETSIZE], share[CPU_SETSIZE];
    int listed = list_threads(threads, of_core);
    cpu_set_t mine;
    CPU_ZERO(&mine);
    if (!listed || cores_share_out(of_core, listed, count, share) < count) return false;
    for (int i = 0; i < listed; i++)
        if (share[i] == index) CPU_SET((size_t)threads[i], &mine);
    return sched_setaffinity(0, sizeof mine, &mine) == 0;
}
