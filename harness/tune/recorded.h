// SPDX-License-Identifier: Apache-2.0
// Spaces from the records of an exhaustive run, searched again without a device. A sample is drawn from the recorded
// ones. A simulation repeats each strategy on them and compares its choice with the recorded best.
#ifndef VKASSAY_TUNE_RECORDED_H
#define VKASSAY_TUNE_RECORDED_H

#include "../base/names.h"
#include "search.h"
#include "../base/arena.h"
#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
    double best; // the smallest median
};

struct recorded {
    const char *device, *driver, *historical; // historical: the revision behind the measurements (result_historical),
                                              // or NULL
    struct {
        uint32_t max_invocations, max_size[3], shared_bytes;
    } limits; // of the device; shapes beyond them are missing from the record. 0: unknown
    struct recorded_case *cases;
    size_t count, capacity;
    struct names names; // of the cases; only during reading
};

// Reads a result with raw samples, or spaces written by recorded_write. Cases with fewer than two timed shapes are
// left out. No case left is an error.
bool recorded_read(const char *path, struct arena *arena, struct recorded *out, struct error *err);

// Writes only the spaces (reports/schema/spaces.schema.json): a few percent of a result's size.
bool recorded_write(const char *path, const struct recorded *recorded, struct error *err);

// ---- quality of strategies

struct simulate_options {
    int repeats;
    double sample_share; // share of the record's samples allowed to a search
    double near;         // a choice within this share of the true best counts
    uint64_t seed;
};

// The score of one strategy on one case.
struct trial_score {
    double near_share, sample_share; // means over the repeats
    double mean_loss, worst_loss;    // of the choice over the true best, 0 for none
};

// Repeats the searches. `scores` must have one item for each case. In each repeat the cases are searched in the
// record's order, and losses learnt in one case help with the next cases of its kernel.
void simulate(const struct recorded *recorded, const struct strategy *strategy, const struct simulate_options *options,
    struct trial_score *scores);

extern const struct kind kind_spaces_file; // struct recorded

#endif
