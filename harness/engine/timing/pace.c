// SPDX-License-Identifier: Apache-2.0
#include "pace.h"

#include "../../truth/stats/summary.h"

#include <math.h>

static const double slow_above = 1.05, calm_below = 1.02;    // of the level
static const double noise_of_slow = 5, noise_of_calm = 2;    // above the level, in standard deviations
static const double deviation_of_step = 1.4826 / 1.41421356; // of a sample, over the median step between two samples
static const int64_t longest_ns = 1000000000;                // for one point
static const int64_t most_ns = 60000000000;                  // for all points
enum { SHARE = 10 };                                         // of the time since the start: a tenth
enum { LEAST_FOR_NOISE = 8 };                                // samples

void pace_start(struct pace *pace, int64_t now_ns) {
    *pace = (struct pace){.level = NAN, .patience_ns = longest_ns, .start_ns = now_ns};
}

// Estimates noise from the steps between every second sample. Looks before and after a kernel alternate, and a
// kernel's heat is no noise. Neither a ramp nor a slow spell makes many large steps.
static double noise_of(const struct pace *pace) {
    const size_t kept = pace->count < PACE_KEPT ? pace->count : PACE_KEPT, oldest = pace->count - kept;
    double steps[PACE_KEPT];
    if (kept < LEAST_FOR_NOISE) return 0;
    for (size_t i = 2; i < kept; i++)
        steps[i - 2] =
            fabs(pace->times[(oldest + i) % PACE_KEPT] - pace->times[(oldest + i - 2) % PACE_KEPT]) / pace->level;
    return deviation_of_step * summarize(steps, kept - 2).median;
}

double pace_add(struct pace *pace, double ns) {
    pace->times[pace->count++ % PACE_KEPT] = ns;
    pace->level = summarize(pace->times, pace->count < PACE_KEPT ? pace->count : PACE_KEPT).median;
    pace->noise = noise_of(pace);
    return ns / pace->level;
}

double pace_limit(const struct pace *pace, double least) {
    return fmax(least, 1 + noise_of_slow * pace->noise);
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t left(const struct pace *pace, int64_t now_ns) {
    int64_t room = least((now_ns - pace->start_ns) / SHARE, most_ns) - pace->spent_ns;
    return room > 0 ? room : 0;
}

bool pace_settle(struct pace *pace, const struct pace_device *device, struct error *err) {
    int64_t start = device->now(device->user), took = 0;
    int64_t most = PACE_FREE_NS + least(pace->patience_ns, left(pace, start));
    for (;;) {
        double ns;
        if (!device->sample(device->user, &ns, err)) return false;
        const double calm_limit = fmax(calm_below, 1 + noise_of_calm * pace->noise);
        const bool calm = !(ns > pace->level * (pace->slow ? calm_limit : pace_limit(pace, slow_above)));
        pace->slow = !calm;
        if (calm || took >= most) {
            if (took > PACE_FREE_NS) pace->spent_ns += took - PACE_FREE_NS;
            pace->patience_ns = calm ? longest_ns : pace->patience_ns / 2;
            return true;
        }
        if (!device->busy(device->user, err)) return false;
        took = device->now(device->user) - start;
    }
}

bool pace_repeats(struct pace *pace, int64_t took_ns, int64_t now_ns) {
    if (took_ns > left(pace, now_ns)) return false;
    pace->spent_ns += took_ns;
    return true;
}
