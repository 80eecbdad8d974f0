// SPDX-License-Identifier: Apache-2.0
#include "drift.h"

#include <math.h>

enum { BUSY_GROUPS = 8192, BUSY_RUNS = 4, TIMES = 3, FIRST_SAMPLES = 25 };
static const double wanted_ns = 100e3;
static const int64_t first_settle_ns = 400000000; // from idle

// Times a single workgroup, because its time depends only on the clock.
static bool time_once(const struct drift *drift, double *ns, struct error *err) {
    return drift->kernel.run(drift->kernel.context, drift->rounds, 1, ns, NULL, err);
}

// Finds the least of a few times; 0: none is usable. A slow clock slows all of them, an interruption only one.
static bool time_best(void *drift, double *ns, struct error *err) {
    *ns = 0;
    for (int i = 0; i < TIMES; i++) {
        double one;
        if (!time_once(drift, &one, err)) return false;
        if (one > 0 && (!(*ns > 0) || one < *ns)) *ns = one;
    }
    return true;
}

static bool keep_busy(void *user, struct error *err) {
    const struct drift *drift = user;
    double ns;
    for (int i = 0; i < BUSY_RUNS; i++)
        if (!drift->kernel.run(drift->kernel.context, drift->rounds, BUSY_GROUPS, &ns, NULL, err)) return false;
    return true;
}

static int64_t now(void *user) {
    const struct drift *drift = user;
    return drift->kernel.now(drift->kernel.context);
}

bool drift_start(struct drift *drift, const struct drift_kernel *kernel, struct error *err) {
    double ns = 0;
    *drift = (struct drift){.kernel = *kernel};
    if (!kernel->timestamps) return true;
    for (drift->rounds = 64; drift->rounds < 1u << 24; drift->rounds *= 2) {
        if (!time_once(drift, &ns, err)) return false;
        if (!(ns < wanted_ns)) break;
    }
    for (int64_t start = now(drift); kernel->own_clock && now(drift) - start < first_settle_ns;)
        if (!keep_busy(drift, err)) return false;
    pace_start(&drift->pace, now(drift));
    for (int i = 0; kernel->own_clock && i < FIRST_SAMPLES; i++) {
        if (!time_best(drift, &ns, err)) return false;
        if (ns > 0) pace_add(&drift->pace, ns);
    }
    return true;
}

bool drift_agrees(struct drift *drift, bool *agrees, double *ns, double *host_ns, struct error *err) {
    enum { TRIES = 8, MOST_GROUPS = 1 << 15, MOST_ROUNDS = 1 << 24 };
    static const double least_ns = 10e6, long_ns = 100e6, most_apart = 1.6;
    uint32_t rounds = drift->rounds, groups = 1; // lavapipe ends a loop early, but runs every group
    double one = 0, taken = 0;
    *agrees = true, *ns = *host_ns = 0;
    for (int tries = 0; drift->kernel.timestamps && tries < TRIES; tries += taken >= least_ns) {
        const int64_t start = now(drift);
        if (!drift->kernel.run(drift->kernel.context, rounds, groups, &one, NULL, err)) return false;
        taken = (double)(now(drift) - start);
        if (!(one > 0) || (groups >= MOST_GROUPS && rounds >= MOST_ROUNDS)) return true; // samples see the first
        if (taken >= least_ns && (!(*ns > 0) || taken / one < *host_ns / *ns)) *ns = one, *host_ns = taken;
        *agrees = !(*host_ns > most_apart * *ns);
        if (*ns > 0 && *agrees) return true;
        if (taken < long_ns) *(groups < MOST_GROUPS ? &groups : &rounds) *= 2; // waits of a busy host count less
    }
    return true;
}

bool drift_settle(struct drift *drift, struct error *err) {
    const struct pace_device device = {time_best, keep_busy, now, drift};
    return !drift->kernel.own_clock || pace_settle(&drift->pace, &device, err);
}

bool drift_repeats(struct drift *drift, int64_t took_ns) {
    return pace_repeats(&drift->pace, took_ns, now(drift));
}

bool drift_sample(struct drift *drift, double *ratio, struct error *err) {
    double ns;
    *ratio = NAN;
    if (!drift->kernel.timestamps) return true;
    if (!time_best(drift, &ns, err)) return false;
    if (ns > 0) *ratio = pace_add(&drift->pace, ns);
    return true;
}

bool drift_probe(struct drift *drift, double *ratio, struct error *err) {
    double ns;
    if (!time_best(drift, &ns, err)) return false;
    *ratio = ns > 0 ? ns / drift->pace.level : NAN;
    return true;
}

// Computes ticks over nanoseconds from the difference between a run and one twice as long. The cost of starting a run
// cancels.
bool drift_clock(struct drift *drift, double *hz, struct error *err) {
    double ns[2];
    uint32_t ticks[2];
    *hz = NAN;
    if (!drift->kernel.reads_clock) return true;
    for (int i = 0; i < 2; i++)
        if (!drift->kernel.run(drift->kernel.context, drift->rounds << i, 1, &ns[i], &ticks[i], err)) return false;
    if (ns[0] > 0 && ns[1] > 1.5 * ns[0] && ticks[1] > ticks[0])
        *hz = (double)(ticks[1] - ticks[0]) / (ns[1] - ns[0]) * 1e9;
    return true;
}
