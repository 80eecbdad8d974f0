// SPDX-License-Identifier: Apache-2.0
// What else the host did while something was timed: work of others, and time that a hypervisor took.
#ifndef VKASSAY_RUN_NOISE_H
#define VKASSAY_RUN_NOISE_H

#include <stdbool.h>
#include <stdint.h>

struct noise {
    double busy, steal, total; // seconds of all cores since the machine started
    double own;                // of this process
    bool known;                // where /proc/stat tells
};
struct noise noise_read(void);

// Between two readings, as shares of the host's cores; NaN both where that is unknown or too short to tell (the
// counters go in steps of 10 ms).
void noise_between(const struct noise *before, const struct noise *after, double *load, double *steal);

// The pure part of reading, for tests: the first line of /proc/stat, at `ticks` a second.
bool noise_parse(const char *line, double ticks, struct noise *out);

#endif
