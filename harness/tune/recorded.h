// SPDX-License-Identifier: Apache-2.0
// Spaces from records: what an exhaustive run measured, to be searched again without a device. A
// sample is drawn from those that were recorded. And how well strategies do on them: each is repeated, and what it
// finds is held against what the record knows to be best.
#ifndef VKASSAY_TUNE_RECORDED_H
#define VKASSAY_TUNE_RECORDED_H

#include "../base/names.h"
#include "../record/result.h"
#include "search.h"

struct recorded_shape {
    const char *name; // "wg=64x1x1,ITEMS=4"
    bool start, wrong;
    double *samples;
    size_t count;
    double median;
};

struct recorded_case {
    const char *name, *family; // "softmax.cached/f32/rows=512,cols=1024", "softmax.cached/f32"
    struct recorded_shape *shapes;
    struct shape_place *places;
    size_t count, capacity, samples;
    int axes;
    double best; // the least median
};

struct recorded {
    const char *device, *driver, *historical; // historical: the revision that measured it (result_historical), or NULL
    struct {
        uint32_t max_invocations, max_size[3], shared_bytes;
    } limits; // of the device, which refused what is not among the shapes; 0: not known
    struct recorded_case *cases;
    size_t count, capacity;
    struct names names; // of the cases, while they are read
};

// Reads a result with raw samples, or the spaces that recorded_write wrote. Cases of fewer than two
// shapes with samples are left out; that none is left is an error.
bool recorded_read(const char *path, struct arena *arena, struct recorded *out, struct error *err);

// The same spaces as a result, for exports: its records hold what spaces hold. The caller releases it.
bool recorded_result(const char *path, struct result *out, struct error *err);

// The spaces alone (reports/schema/spaces.schema.json): a few percent of a result's size.
bool recorded_write(const char *path, const struct recorded *recorded, struct error *err);

// A space whose answers are drawn by chance. `expected` stays NaN.
struct replay {
    const struct recorded_case *recorded;
    uint64_t random;
};
struct space replay_space(struct replay *replay);

// ---- how well strategies do

struct simulate_options {
    int repeats;
    double sample_share; // of the samples of the record that a search may take
    double near;         // a find within this share of the true best counts
    uint64_t seed;
};

// One strategy on one case.
struct trial_score {
    double near_share, sample_share; // means over the repeats
    double mean_loss, worst_loss;    // of what was found over the true best, 0 for none
};

// `scores` has room for one a case. Within a repeat the cases are searched in the record's order,
// and what was learnt from one helps with the next of its kernel.
void simulate(const struct recorded *recorded, const struct strategy *strategy, const struct simulate_options *options,
    struct trial_score *scores);

#endif
