// SPDX-License-Identifier: Apache-2.0
#include "time_left.h"

#include <math.h>
#include <stdbool.h>

static const double least_share = 0.05; // of the work, before the time left is shown
static const double slow_share = 0.25;  // of the time, above which a step does not count
static const double rounding = 1e-9;

// Takes the work since the last estimate as a step.
static void take_step(struct time_left *t, double spent_s) {
    const double cost = t->worked - t->estimated, s = spent_s - t->spent_s, rate = spent_s / t->worked;
    if (s - cost * rate >= t->slowest_s - t->slowest_cost * rate) {
        t->slowest_cost = cost;
        t->slowest_s = s;
    }
    t->estimated = t->worked;
    t->spent_s = spent_s;
}

static double estimate(const struct time_left *t, double building_s) {
    const double todo = t->work - t->worked;
    const bool apart = t->slowest_s >= slow_share * t->spent_s;
    const double cost = t->worked - (apart ? t->slowest_cost : 0), s = t->spent_s - (apart ? t->slowest_s : 0);
    if (!(todo > t->work * rounding)) return 0;
    if (t->worked < least_share * t->work || !(cost > t->worked * rounding)) return NAN;
    return building_s + s / cost * todo;
}

double time_left_now(struct time_left *t, double now_s, double ahead_s, double building_s) {
    if (!(t->worked > 0)) return NAN;
    if (t->worked > t->estimated) {
        take_step(t, fmax(now_s - ahead_s, 0));
        t->left_s = estimate(t, building_s);
        t->left_at_s = now_s;
    }
    const double left = t->left_s - (now_s - t->left_at_s);
    return left > 0 || !(t->worked < t->work * (1 - rounding)) ? fmax(left, 0) : NAN;
}
