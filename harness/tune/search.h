// SPDX-License-Identifier: Apache-2.0
// The search for a case's best shape: a space of shapes that can be asked for one noisy time at a
// time, and strategies that ask. Whether a device answers or a record of one makes no difference.
#ifndef VKASSAY_TUNE_SEARCH_H
#define VKASSAY_TUNE_SEARCH_H

#include "../base/arena.h"
#include "../manifest/kernel.h"
#include "../record/cases.h"
#include "../plan/point.h"

enum answer {
    ANSWER_TIME,  // *ns holds one sample
    ANSWER_WRONG, // the shape gives wrong results or does not run: it is barred
    ANSWER_STOP,  // nothing more can be asked; the search ends with what it has
};

// One shape: its place on the axis of each tunable, in steps of the values that occur.
struct shape_place {
    int step[KERNEL_TUNABLES];
    bool start;      // the default or a seed's shape: among those that a search starts with
    bool standard;   // the default: asked before any other, whatever the strategy
    double expected; // loss expected from other dims of the same kernel, 1 for the best; NaN: unknown
};

// From the last part of points' names, "wg=16x16x1,TILE_K=16"; steps are the ranks of the values that
// occur. Names of another form stand at step 0 of every axis. `expected` is NaN.
struct shape_place *places_of_names(struct arena *arena, const char *const *names, size_t count, int *axes);

struct space {
    size_t count;
    int axes; // tunables
    struct shape_place *places;
    enum answer (*ask)(void *user, size_t shape, double *ns);
    void *user;
};

struct search_options {
    uint64_t seed;       // of the order in which shapes are asked
    size_t most_samples; // 0: no limit
    size_t least;        // samples that a shape needs before it may be called best; 0: CASE_LEAST
};

enum { FINDING_TIES = 64, NOT_FOUND = -1 };
struct finding {
    int best;                          // NOT_FOUND: every shape that was asked is barred, or none was asked
    int runner_up;                     // the next best that is no tie; NOT_FOUND: none
    int ties[FINDING_TIES], tie_count; // others that were not shown to differ from the best
    size_t samples, tried, barred;
    bool stopped; // by ANSWER_STOP or the limit, before the strategy had come to its end
    // By shape, in the arena: samples 0 where it was not asked. The interval of less than 6 samples
    // is by the noise of all shapes (candidates.h).
    struct summary *times;
    bool *wrong;
    const double **raw; // the samples themselves, in the order asked
};

// Sets best, runner_up and ties from `times` and `wrong` of `count` shapes. The best is among those
// with `least` samples; where none has as many, among those with half as many as the one with most.
// A tie is one whose interval reaches that of the best.
void finding_choose(struct finding *finding, size_t count, size_t least);

struct candidates;
struct strategy {
    const char *name, *summary;
    void (*search)(struct candidates *candidates); // asks until it knows enough, or nothing more can be asked
};
extern const struct strategy strategies[];               // ends with a NULL name
const struct strategy *strategy_named(const char *name); // NULL when there is none
void strategy_search(const struct strategy *strategy, const struct space *space, const struct search_options *options,
    struct arena *arena, struct finding *out);

// ---- the dims beside those that were tuned: where a choice must be right, too

// Points of the same kernel and shape with one dim a step smaller or larger, for each dim of 8 and
// more (smaller ones are counts and flags, not sizes). What the operator or the device refuses there
// is left out.
struct point *neighbours_of(struct arena *arena, const struct point *point, const struct device_info *device,
    double memory_share, size_t *count);

// ---- what was learnt at other dims of the same kernel and dtype: the loss of each shape that was timed. What comes
// later replaces what came before, so cases are best searched in order of size.

struct model {
    struct arena *arena;
    struct learnt *items;
    size_t count, capacity;
};

// `names` are the shapes', "wg=64x1x1,ITEMS=4"; `family` is kernel and dtype.
void model_learn(struct model *model, const char *family, const char *const *names, const struct space *space,
    const struct finding *finding);

// Fills `expected` of every place.
void model_expect(const struct model *model, const char *family, const char *const *names, struct space *space);

#endif
