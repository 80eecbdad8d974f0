// SPDX-License-Identifier: Apache-2.0
// When to stop sampling: a table of criteria (stop.c), the first of which that is met says why.
#ifndef VKASSAY_STATS_STOP_H
#define VKASSAY_STATS_STOP_H

#include <stdbool.h>
#include <stddef.h>

enum stop_reason { STOP_NOT_YET, STOP_PRECISE, STOP_TIME, STOP_COUNT };
// Enough samples and (narrow enough, or the time or count is spent).
struct stop_rule {
    size_t least, most;
    double precision;    // share; negative: whatever it is
    double seconds;      // budget
    size_t few;          // will do for what is so slow that it took
    double slow_seconds; // so long; 0: `least` it is
};
enum stop_reason stop_check(const struct stop_rule *rule, const double *values, size_t count, double spent_seconds);
const char *stop_reason_name(enum stop_reason reason); // "precise", "time", "count"

// Of pairs: whether the interval of the ratio is within a quarter of `effect`, looked at now and then. The fewest that
// it takes are STOP_LEAST_PAIRS.
enum { STOP_LEAST_PAIRS = 16 };
bool stop_pairs(const double *base, const double *head, size_t count, double effect);

#endif
