// SPDX-License-Identifier: Apache-2.0
// When to stop sampling: stop.c has a table of criteria, and the first one met is the reason.
#ifndef VKASSAY_STATS_STOP_H
#define VKASSAY_STATS_STOP_H

#include <stdbool.h>
#include <stddef.h>

enum stop_reason { STOP_NOT_YET, STOP_PRECISE, STOP_TIME, STOP_COUNT };
// A rule to stop: enough samples, and either a narrow interval or the time or count spent.
struct stop_rule {
    size_t least, most;
    double precision;    // half width of the interval, as a share; negative: any
    double seconds;      // time budget
    size_t few;          // samples that suffice for a slow point
    double slow_seconds; // time from which a point is slow; 0: never
};
enum stop_reason stop_check(const struct stop_rule *rule, const double *values, size_t count, double spent_seconds);
const char *stop_reason_name(enum stop_reason reason); // "precise", "time", "count"

// Returns whether the interval of the pairs' ratio is within a quarter of `effect`. Checks only now and then, and
// needs at least STOP_LEAST_PAIRS pairs.
enum { STOP_LEAST_PAIRS = 12 };
bool stop_pairs(const double *base, const double *head, size_t count, double effect);

#endif
