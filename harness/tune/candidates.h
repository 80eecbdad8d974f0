// SPDX-License-Identifier: Apache-2.0
// What a search has heard so far. Private to harness/tune.
//
// Few samples say little about their own spread, so the spread is pooled: shapes of one case differ
// in speed, but the noise around each comes from the same device. It is the median over pairs of
// consecutive samples of |ln(a / b)|, over 0.954, which for normal noise is its standard deviation
// (the median of |x| is 0.6745 s, and a difference of two has a spread of sqrt(2) s).
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

// Asks for one sample. False: the search has to end. A shape that turns out wrong is BARRED, and
// the search goes on.
bool candidates_ask(struct candidates *candidates, size_t shape);

// Standard deviation of the noise as a share of the time; `otherwise` with fewer than 8 pairs.
double candidates_noise(const struct candidates *candidates, double otherwise);

// Median and interval of a shape: by order statistics from 6 samples on; below, the lower median and
// the pooled noise.
struct summary candidates_time(const struct candidates *candidates, size_t shape);

// The shape with the least median among those in `state`, or NOT_FOUND.
int candidates_leader(const struct candidates *candidates, enum state state);

// Brings the items into a random order.
void candidates_shuffle(struct candidates *candidates, size_t *items, size_t count);

// Steps between two shapes, added over the axes.
int space_distance(const struct space *space, size_t a, size_t b);

// What was found, from all that was heard.
void candidates_close(struct candidates *candidates, struct finding *out);

void search_race(struct candidates *candidates); // the strategy

#endif
