// SPDX-License-Identifier: Apache-2.0
// What a search has heard so far. Private to harness/tune.
//
// Few samples say little about their own spread, so the spread is pooled: shapes of one case differ
// in speed, but the noise around each comes from the same device. It is the median over pairs of
// consecutive samples of |ln(a / b)|, over 0.954, which for normal noise is its standard deviation
// (the median of |x| is 0.6745 s, and a difference of two has a spread of sqrt(2) s).
#ifndef VKASSAY_TUNE_BOARD_H
#define VKASSAY_TUNE_BOARD_H

#include "search.h"

enum state {
    FRESH,  // not asked yet
    ALIVE,
    OUT,    // clear of the leader
    BARRED,
};

struct heard {
    double *samples;
    size_t count, capacity;
    enum state state;
};

struct board {
    const struct space *space;
    struct search_options options;
    struct arena *arena;
    struct heard *heard; // by shape
    double *pairs;       // |ln(a / b)| of consecutive samples of one shape
    size_t pair_count, pair_capacity;
    size_t samples;
    uint64_t random;
    bool stopped, out_of_memory;
};

bool board_open(struct board *board, const struct space *space, const struct search_options *options,
    struct arena *arena, struct error *err);

// Asks for one sample. False: the search has to end. A shape that turns out wrong is BARRED, and
// the search goes on.
bool board_ask(struct board *board, size_t shape);

// Standard deviation of the noise as a share of the time; `otherwise` with fewer than 8 pairs.
double board_noise(const struct board *board, double otherwise);

// Median and interval of a shape: by order statistics from 6 samples on; below, the lower median and
// the pooled noise.
struct summary board_time(const struct board *board, size_t shape);

// The shape with the least median among those in `state`, or NOT_FOUND.
int board_leader(const struct board *board, enum state state);

// Brings the items into a random order.
void board_shuffle(struct board *board, size_t *items, size_t count);

// Steps between two shapes, added over the axes.
int space_distance(const struct space *space, size_t a, size_t b);

// What was found, from all that was heard.
bool board_close(struct board *board, struct finding *out, struct error *err);

#endif
