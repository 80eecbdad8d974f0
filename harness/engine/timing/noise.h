// SPDX-License-Identifier: Apache-2.0
// Other activity on the host during a measurement: work of other processes, and time taken by a hypervisor.
#ifndef VKASSAY_TIMING_NOISE_H
#define VKASSAY_TIMING_NOISE_H

#include <stdbool.h>
#include <stdint.h>

struct noise {
    double busy, steal, total; // seconds of all cores since the machine started
    double own;                // of this process
    bool known;                // /proc/stat was readable
};
struct noise noise_read(void);

// Computes load and steal between two readings, as shares of the host's cores. Both are NaN if unknown or if the time
// is too short (the counters have steps of 10 ms).
void noise_between(const struct noise *before, const struct noise *after, double *load, double *steal);

// Parses the first line of /proc/stat, at `ticks` a second; separate for tests.
bool noise_parse(const char *line, double ticks, struct noise *out);

#endif
