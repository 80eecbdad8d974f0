// SPDX-License-Identifier: Apache-2.0
// Samples of one or several figures at once: a step that gives one of each, until one figure's criterion is met.
#ifndef VKASSAY_RUN_SERIES_H
#define VKASSAY_RUN_SERIES_H

#include "timing.h"

struct series {
    double *values; // those of figure f from values[f * room] on; not owned
    size_t room, counts[FIGURE_COUNT];
};

struct series_plan {
    const struct timing_device *device;
    struct stop_rule rule; // of the figure that decides; `most` at most the series's room
    enum figure decides;
    bool warm; // the first step warms up and is dropped
    // One sample of each figure; those that it leaves at NaN are not measured.
    bool (*step)(void *user, double ns[FIGURE_COUNT], struct error *err);
    void *user;
};

// Adds to *out, and says in *stop (may be NULL) why it ended. False: a step failed.
bool series_take(const struct series_plan *plan, struct series *out, enum stop_reason *stop, struct error *err);
const double *series_values(const struct series *series, enum figure figure);

// Samples of a figure, or all of them, into a record with their summaries.
void series_keep_figure(
    struct arena *arena, struct record *record, enum figure figure, const double *values, size_t count);
void series_keep(struct arena *arena, struct record *record, const struct series *series);

// The clock, repeats and cache mode of a sampler that gave samples.
void series_keep_sampler(struct record *record, const struct sampler *sampler);

// What an empty submission costs by the host's clock: FIGURE_SUBMIT, SERIES_SUBMISSIONS samples of it in `out` (NULL:
// they are not kept), and their median.
enum { SERIES_SUBMISSIONS = 12 };
bool series_submission(
    const struct timing_device *device, double timeout_s, struct series *out, double *median_ns, struct error *err);

#endif
