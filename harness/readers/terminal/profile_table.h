// SPDX-License-Identifier: Apache-2.0
// Where the time of a captured program goes, by kernel. Private to harness/readers.
#ifndef VKASSAY_TERMINAL_PROFILE_TABLE_H
#define VKASSAY_TERMINAL_PROFILE_TABLE_H

#include "../table/table.h"

struct result;

// The time of a kernel in the program: each dispatch takes the median of its case.
struct profile_row {
    const char *kernel;
    size_t cases;
    double dispatches, ns, bytes; // of all of them; bytes: each bound range once
    double share, cumulative;     // of the time of all kernels here
    double roof;                  // bytes in this time, as a share of the memory roof; NaN: not known
};

// Returns the kernels with timed cases in the arena, the longest first, and their number.
size_t profile_rows(const struct result *result, struct arena *arena, struct profile_row **out);
void profile_table(const struct profile_row *rows, size_t count, struct arena *arena, struct table *out);

#endif
