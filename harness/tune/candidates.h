// SPDX-License-Identifier: Apache-2.0
// The samples of a search so far. Private to harness/tune.
//
// Noise is pooled over all shapes of a case, because a few samples say little about their own spread. Shapes differ
// in speed, but their noise comes from the same device. The noise is the median of |ln(a / b)| over pairs of
// consecutive samples, divided by 0.954. For normal noise this is the standard deviation s. The median of |x| is
// 0.6745 s, and a difference of two samples has a spread of sqrt(2) s.
#ifndef VKASSAY_TUNE_CANDIDATES_H
#define VKASSAY_TUNE_CANDIDATES_H

#include "search.h"

enum state {
    FRESH, // not asked yet
    ALIVE,
    OUT, // clear of the leader
    BARRED,
};

struct candidate {
    double *samples;
    size_t count, capacity;
    enum state state;
};

struct candidates {
    const struct space *space;
    struct search_options options;
    struct arena *arena;
    struct candidate *items; // by shape
    double *pairs;           // |ln(a / b)| of consecutive samples of one shape
    size_t pair_count, pair_capacity;
    size_t samples;
    uint64_t random;
    bool stopped;
};

void candidates_open(struct candidates *candidates, const struct space *space, const struct search_options *options,
    struct arena *arena);

// Asks for one sample. Returns false if the search has to end. A wrong shape becomes BARRED, and the search goes on.
bool candidates_ask(struct candidates *candidates, size_t shape);

// Returns the standard deviation of the noise as a share of the time; `otherwise` with fewer than 8 pairs.
double candidates_noise(const struct candidates *candidates, double otherwise);

// Returns the median and interval of a shape. From 6 samples on they are order statistics; with fewer, the lower
// median and the pooled noise.
struct summary candidates_time(const struct candidates *candidates, size_t shape);

// Returns the shape in `state` with the smallest median, or NOT_FOUND.
int candidates_leader(const struct candidates *candidates, enum state state);

// Puts the items into a random order.
void candidates_shuffle(struct candidates *candidates, size_t *items, size_t count);

// Returns the number of steps between two shapes, summed over the axes.
int space_distance(const struct space *space, size_t a, size_t b);

// Fills the finding from all samples.
void candidates_close(struct candidates *candidates, struct search_finding *out);

void search_race(struct candidates *candidates); // the strategy

#endif
