// SPDX-License-Identifier: Apache-2.0
#include "stop.h"

#include "ratio.h"
#include "summary.h"

struct stop_progress {
    const double *values;
    size_t count;
    double seconds;
};

static bool is_many(const struct stop_rule *rule, const struct stop_progress *p) {
    return p->count >= rule->most;
}

static bool is_late(const struct stop_rule *rule, const struct stop_progress *p) {
    return p->seconds >= rule->seconds;
}

// Beyond 64 samples the interval changes slowly, and sorting costs as much as a short sample. So the interval is
// checked every 16th time (the cadence of nvbench's criterion), and at the end.
static bool is_precise(const struct stop_rule *rule, const struct stop_progress *p) {
    if (rule->precision < 0) return false;
    if (p->count > 64 && p->count % 16 && !is_many(rule, p) && !is_late(rule, p)) return false;
    struct summary summary = summarize(p->values, p->count);
    return summary_precision(&summary) <= rule->precision;
}

static bool is_slow(const struct stop_rule *rule, const struct stop_progress *p) {
    return rule->slow_seconds > 0 && p->seconds >= rule->slow_seconds;
}

// Criteria in the order of their evaluation.
static const struct criterion {
    enum stop_reason reason;
    size_t needs; // offset of the rule's member with the samples required
    bool (*met)(const struct stop_rule *rule, const struct stop_progress *progress);
} criteria[] = {
    {STOP_PRECISE, offsetof(struct stop_rule, least), is_precise},
    {STOP_COUNT, offsetof(struct stop_rule, least), is_many},
    {STOP_TIME, offsetof(struct stop_rule, least), is_late},
    {STOP_TIME, offsetof(struct stop_rule, few), is_slow},
};

enum stop_reason stop_check(const struct stop_rule *rule, const double *values, size_t count, double spent_seconds) {
    const struct stop_progress progress = {values, count, spent_seconds};
    for (size_t i = 0; i < sizeof criteria / sizeof *criteria; i++) {
        size_t needs = *(const size_t *)(const void *)((const char *)rule + criteria[i].needs);
        if (count >= needs && criteria[i].met(rule, &progress)) return criteria[i].reason;
    }
    return STOP_NOT_YET;
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

// Checks only after every fourth block of four runs (ABBA). More checks would make it more likely for one to pass by
// chance.
bool stop_pairs(const double *base, const double *head, size_t count, double effect) {
    double p, wide = (1 + effect / 4) * (1 + effect / 4);
    if (count < STOP_LEAST_PAIRS || count % 8) return false;
    struct ratio ratio = ratio_of_pairs(base, head, count, &p);
    return ratio.hi / ratio.lo <= wide;
}
