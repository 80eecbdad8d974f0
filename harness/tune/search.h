// SPDX-License-Identifier: Apache-2.0
// The search for a case's best shape. A space answers requests for one noisy time of a shape, and a strategy makes
// the requests. The answers may come from a device or from a recording.
#ifndef VKASSAY_TUNE_SEARCH_H
#define VKASSAY_TUNE_SEARCH_H

#include "../base/arena.h"
#include "../record/cases.h"
#include "../engine/plan/suite.h"

enum answer {
    ANSWER_TIME,  // *ns holds one sample
    ANSWER_WRONG, // the shape gives wrong results or does not run: it is barred
    ANSWER_STOP,  // no more answers; the search ends with the samples so far
};

// A shape's place: on each tunable's axis, the rank of its value among the values in the space.
struct shape_place {
    int step[KERNEL_TUNABLES];
    bool start;      // the default or a system's shape: the search starts with these
    bool standard;   // the default: asked before any other, by every strategy
    double expected; // loss expected from other dims of the same kernel, 1 for the best; NaN: unknown
};

// Makes places from the last part of points' names, "wg=16x16x1,TILE_K=16". Steps are ranks of the values. Names of
// another form get step 0 on every axis. `expected` is NaN.
struct shape_place *places_of_names(struct arena *arena, const char *const *names, size_t count, int *axes);

struct space {
    size_t count;
    int axes; // tunables
    struct shape_place *places;
    enum answer (*ask)(void *user, size_t shape, double *ns);
    void *user;
};

struct search_options {
    uint64_t seed;       // for the order of requests
    size_t most_samples; // 0: no limit
    size_t least;        // samples needed before a shape may be called best; 0: CASE_LEAST
};

enum { FINDING_TIES = 64, NOT_FOUND = -1 };
struct search_finding {
    int standard;                      // the default shape; NOT_FOUND: none
    int best;                          // the choice; NOT_FOUND: no shape was asked, or all asked shapes are barred
    int runner_up;                     // the next best outside the ties; NOT_FOUND: none
    int ties[FINDING_TIES], tie_count; // other shapes not shown to differ from the fastest
    size_t samples, tried, barred;
    bool stopped; // by ANSWER_STOP or the limit, before the strategy had finished
    // By shape, in the arena: samples 0 if not asked. With fewer than 6 samples the interval uses the noise of all
    // shapes (candidates.h).
    struct summary *times;
    bool *wrong;
    const double **raw; // the samples, in the order of requests
};

// Sets best, runner_up and ties from `times`, `wrong` and `standard` of `count` shapes. The fastest must have `least`
// samples. If no shape has so many, it must have at least half as many as the shape with most. Ties have an interval
// reaching that of the fastest, or a gap too small to repeat in another process (times_tie). The best is the default
// if it is the fastest or its tie, else the first shape of these (time_choice).
void finding_choose(struct search_finding *finding, size_t count, size_t least);

struct candidates;
struct strategy {
    const char *name, *summary;
    void (*search)(struct candidates *candidates); // asks until it knows enough, or no more answers come
};
extern const struct strategy strategies[];               // ends with a NULL name
const struct strategy *strategy_named(const char *name); // NULL if there is none
void strategy_search(const struct strategy *strategy, const struct space *space, const struct search_options *options,
    struct arena *arena, struct search_finding *out);

// ---- neighbouring dims, where the choice must be right too

// Returns the points of the same kernel and shape with one dim a step smaller or larger. Only dims of 8 and more are
// moved, because smaller ones are counts and flags. Points refused by operator or device are left out.
struct point *neighbours_of(struct arena *arena, const struct point *point, const struct device_info *device,
    double memory_share, size_t *count);

// ---- losses learnt at other dims of the same kernel and dtype, for each timed shape. Later losses replace earlier
// ones, so search cases in order of size.

struct model {
    struct arena *arena;
    struct learnt *items;
    size_t count, capacity;
};

// Records the losses of a finished search. `names` are the shapes', "wg=64x1x1,ITEMS=4"; `family` is kernel and
// dtype.
void model_learn(struct model *model, const char *family, const char *const *names, const struct space *space,
    const struct search_finding *finding);

// Fills `expected` of every place.
void model_expect(const struct model *model, const char *family, const char *const *names, struct space *space);

#endif
