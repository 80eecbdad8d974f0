// SPDX-License-Identifier: Apache-2.0
// Samples of one or several figures at once. Each step gives one sample of each figure, until the deciding figure's
// stop rule is met.
#ifndef VKASSAY_TIMING_SERIES_H
#define VKASSAY_TIMING_SERIES_H

#include "timing.h"

struct series {
    double *values; // figure f begins at values[f * room]; not owned
    size_t room, counts[FIGURE_COUNT];
};

struct series_plan {
    const struct timing_device *device;
    struct stop_rule rule; // of the deciding figure; `most` is at most the series' room
    enum figure decides;
    bool warm; // the first step warms up and is dropped
    // Takes one sample of each figure. A figure left at NaN is not measured.
    bool (*step)(void *user, double ns[FIGURE_COUNT], struct error *err);
    void *user;
};

// Adds to *out and sets *stop (may be NULL) to the reason for ending. Returns false if a step failed.
bool series_take(const struct series_plan *plan, struct series *out, enum stop_reason *stop, struct error *err);
const double *series_values(const struct series *series, enum figure figure);

// Puts samples of a figure, or of all figures, into a record with their summaries.
void series_keep_figure(
    struct arena *arena, struct record *record, enum figure figure, const double *values, size_t count);
void series_keep(struct arena *arena, struct record *record, const struct series *series);

// Records the clock, repeats and cache mode of a sampler with samples.
void series_keep_sampler(struct record *record, const struct sampler *sampler);

// Measures the cost of an empty submission by the host's clock, as FIGURE_SUBMIT. `out` gets SERIES_SUBMISSIONS
// samples (NULL: not kept), and *median_ns their median.
enum { SERIES_SUBMISSIONS = 12 };
bool series_submission(
    const struct timing_device *device, double timeout_s, struct series *out, double *median_ns, struct error *err);

#endif
