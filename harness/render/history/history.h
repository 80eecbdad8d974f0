// SPDX-License-Identifier: Apache-2.0
// Many results of one device as a series: each point's median from run to run, and where its level changes. Private to
// harness/render.
#ifndef VKASSAY_RENDER_HISTORY_H
#define VKASSAY_RENDER_HISTORY_H

#include "../../record/result.h"
#include "../../record/store.h"
#include "../table/table.h"

struct history_run {
    const struct result *result; // NULL: from a store
    const char *path, *started;  // "2026-01-02T03:04:05Z", "unknown"
    const char *suite, *seed, *driver, *git;
    size_t number; // by date, from 1
    size_t wrong;  // points that ran and were not right, but for expected failures
};

struct history_time {
    double median, lo, hi;       // ns; 0: the point was not run, not right or not timed
    const struct record *record; // NULL: from a store
};

enum { HISTORY_CHANGES = 16 };
struct history_point {
    const struct history *of;
    const char *name;
    struct history_time *times;      // by run
    size_t timed, wrong;             // runs in which it was timed; in which it ran and was not right
    size_t first, last;              // runs: of the first and the last time
    size_t changes[HISTORY_CHANGES]; // runs at which a new level begins
    double least[HISTORY_CHANGES];   // by how much the level had to differ there, as a share
    double factors[HISTORY_CHANGES]; // median of that level over the median of the one before
    size_t change_count;
    double noise; // what a further run's level would have to differ by: its own noise, or the effect where that is more
};

struct history {
    struct arena arena;       // owns what follows
    struct history_run *runs; // by date
    size_t run_count;
    struct history_point *points; // those that changed first, the most recent change before others; then by name
    size_t count, changed;
    double effect;
    const char *device;
};

// Runs in which some point was not right, whether or not it is among the points.
size_t history_wrong_runs(const struct history *history);

// The results must be of one model of device (STATUS_BAD_INPUT otherwise); drivers, systems and suites may differ: they
// are what a history may show. Points timed in fewer than two runs are left out. A change of level differs by `effect`
// or more, and stands out of the point's own noise (stats/change.h).
bool history_make(const struct result *results, const char *const *paths, size_t count, double effect,
    struct history *out, struct error *err);
// The same of a store's runs.
bool history_of_series(const struct store_series *series, double effect, struct history *out);
void history_free(struct history *history);

enum { HISTORY_LEAST = 8 }; // runs below which no level can be told from another (stats/change.h)

// Between which revisions a change of a point came, in the arena; false: the runs do not say, or they are of one.
struct suspects {
    const char *before, *after;
    const char *bisect; // a line that finds the revision where it became slower, or faster, by pairs
};
bool history_suspects(struct arena *arena, const struct history_point *point, size_t change, struct suspects *out);

// What changed with one run, by their number from 0; whether that is one-sided, as only a machine is: five or more, and
// four of five or more of them the same way.
struct moves {
    size_t moved, slower;
    bool one_sided;
};
struct moves history_moves(const struct history *history, size_t run);
void put_moves(struct text *out, const struct moves *moves); // "17 of 18 moved one way, slower"

// A change, as a row of a table.
struct change_row {
    const struct history_point *point;
    size_t change;            // of the point, from 0
    struct suspects suspects; // zeroed where the runs do not say
    struct moves moves;       // what else changed with the same run
};
// All of them, in the arena: those that are not the machine's first, by point, each one's newest first. Returns how
// many.
size_t change_rows(const struct history *history, struct arena *arena, struct change_row **out);
extern const struct column change_columns[];

#endif
