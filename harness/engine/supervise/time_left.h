// SPDX-License-Identifier: Apache-2.0
// The time left of a session, from the costs of its points and the time that those done have taken.
#ifndef VKASSAY_SUPERVISE_TIME_LEFT_H
#define VKASSAY_SUPERVISE_TIME_LEFT_H

// Zeroed at the start. Costs have any unit; times are in seconds.
struct time_left {
    double work, worked; // costs: of all work, and of what is done
    // Read by time_left_now alone. A step is what was done between two estimates.
    double estimated, spent_s;      // `worked` and the time of work at the last estimate
    double slowest_cost, slowest_s; // of the step that exceeds the mean rate most
    double left_s, left_at_s;       // the last estimate, and the session's time then
};

// Returns the seconds left; NaN: unknown. That is before a twentieth of the work and two steps are done, and after
// the last estimate has run out. The step with the largest excess does not count if it has a quarter of the time: a
// first one may be slow for reasons of its own. `now_s`: of the session, of which `ahead_s` were spent on other things
// than points; `building_s`: what these still need.
double time_left_now(struct time_left *left, double now_s, double ahead_s, double building_s);

#endif
