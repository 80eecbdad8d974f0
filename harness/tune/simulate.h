// SPDX-License-Identifier: Apache-2.0
// How well strategies do on recorded spaces: each is repeated, and what it finds is held against
// what the record knows to be best.
#ifndef VKASSAY_TUNE_SIMULATE_H
#define VKASSAY_TUNE_SIMULATE_H

#include "recorded.h"

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
