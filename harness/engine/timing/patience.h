// SPDX-License-Identifier: Apache-2.0
// More time for a process that a busy host kept from running. Only software drivers and compilers need it: a GPU does
// its work without the host's cores.
#ifndef VKASSAY_TIMING_PATIENCE_H
#define VKASSAY_TIMING_PATIENCE_H

#include "noise.h"

#include <sys/types.h>

// A wait for a process since its begin.
struct patience {
    pid_t pid;
    int64_t start_ns, asked_ns;
    struct noise host;
    double cpu_s;
};

struct patience patience_start(pid_t pid, int64_t asked_ns);

// Returns how many more nanoseconds the process has, once the time asked for is over; 0: none.
int64_t patience_more(const struct patience *patience);

// Returns whether a late process was starved: it has used the CPU, but less than the seconds asked for, and the wait is
// not ten times as long. `load`: the share of all cores in use, NAN if unknown.
bool patience_starved(double asked_s, double waited_s, double cpu_s, double load);

#endif
