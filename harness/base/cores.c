// SPDX-License-Identifier: Apache-2.0
#include "cores.h"

#include <sched.h>
#include <unistd.h>

int cores_usable(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
    long cores = sysconf(_SC_NPROCESSORS_ONLN); // more than a set has room for
    return cores < 1 ? 1 : (int)cores;
}
