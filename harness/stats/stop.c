// SPDX-License-Identifier: Apache-2.0
// When to stop sampling.
#include "summary.h"

// Beyond 64 samples the interval changes slowly and sorting them costs as much as a short sample:
// look every 16th time (the cadence of nvbench's criterion).
static bool worth_a_look(size_t count) {
    return count <= 64 || count % 16 == 0;
}

enum stop_reason stop_check(const struct stop_rule *rule, const double *values, size_t count, double spent_seconds) {
    if (count < rule->least) return STOP_NOT_YET;
    bool spent = count >= rule->most || spent_seconds >= rule->seconds;
    if (spent || worth_a_look(count)) {
        struct summary summary = summarize(values, count);
        if (summary_precision(&summary) <= rule->precision) return STOP_PRECISE;
    }
    if (count >= rule->most) return STOP_COUNT;
    return spent ? STOP_TIME : STOP_NOT_YET;
}

const char *stop_reason_name(enum stop_reason reason) {
    static const char *const names[] = {
        [STOP_NOT_YET] = "not-yet",
        [STOP_PRECISE] = "precise",
        [STOP_TIME] = "time",
        [STOP_COUNT] = "count",
    };
    return names[reason];
}
