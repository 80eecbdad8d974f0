// SPDX-License-Identifier: Apache-2.0
// Many results of one device as a series: the median of each point from run to run, and the runs where its level
// changes. Private to harness/readers/render.
#ifndef VKASSAY_RENDER_HISTORY_H
#define VKASSAY_RENDER_HISTORY_H

#include "../../record/device_key.h"
#include "../../record/result_set.h"
#include "../render/render.h"
#include "../table/table.h"
#include "../../base/arena.h"
#include "../../base/error.h"
#include "../../base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct history_run {
    const char *path, *started; // "2026-01-02T03:04:05Z", "unknown"
    const char *suite, *seed, *driver, *git;
    size_t number; // by date, from 1
    size_t wrong;  // points with a wrong result, except expected failures
};

struct history_time {
    double median, lo, hi; // ns; 0: the point did not run, failed or was not timed
    unsigned footnotes;    // footnotes_bits
};

enum { HISTORY_CHANGES = 16 };
struct history_point {
    const struct history *of;
    const char *name;
    struct history_time *times;      // by run
    size_t timed, wrong;             // number of runs where it was timed; where it ran and failed
    size_t first, last;              // the runs of the first and the last time
    size_t changes[HISTORY_CHANGES]; // runs at which a new level begins
    double least[HISTORY_CHANGES];   // the smallest difference that counted there, as a share
    double factors[HISTORY_CHANGES]; // median of that level over the median of the level before
    size_t change_count;
    double noise; // smallest difference that counts for a further run: its own noise or the effect, the larger
};

struct history {
    struct arena *arena;
    struct history_run *runs; // by date
    size_t run_count;
    struct history_point *points; // changed points first, latest change first; then by name
    size_t count, changed;
    double effect;
    const char *device, *unit; // unit: NULL if no other history is of a device of this name
};

// Returns the number of runs with a wrong point; the point need not be among `points`.
size_t history_wrong_runs(const struct history *history);

// The histories of several devices. Of each result only the times are kept, so ten thousand runs fit into memory.
struct histories {
    struct arena arena; // owns everything
    struct history *items;
    size_t count;
    bool many_names; // devices of several names
};

// Reads results, and makes a history of each device, in the order of their first results. Drivers, systems and suites
// may differ within one, because a history may compare them. Points timed in fewer than two runs are omitted. A run
// found twice in a folder counts once. The caller frees the histories, also after an error.
bool histories_read(
    struct result_files *files, const struct history_rules *rules, struct histories *out, struct error *err);
void histories_free(struct histories *histories);

// Writes history.html with its charts into `folder` (render_histories).
bool history_page(const struct history *history, const char *folder, const char *template_folder, FILE *out,
    size_t *charts, struct error *err);

// The outcome of a point in a run.
struct history_outcome {
    uint32_t point;  // by number
    bool wrong, bad; // it ran and failed; that was not expected
    struct history_time time;
};
// Adds the outcomes of a run, and finishes the history's points after the last one. Private to history/.
void history_begin(struct history *history, const char *const *names, size_t points);
void history_add(struct history *history, size_t run, const struct history_outcome *outcomes, size_t count);
void history_end(struct history *history);

enum { HISTORY_LEAST = 8 }; // with fewer runs, no change can be detected (stats/change.h)

// Finds the revisions between which a point changed, in the arena. Returns false if the runs have no revision, or the
// same one.
struct candidate_commits {
    const char *before, *after;
    const char *bisect; // a command line that bisects to the revision by paired runs
};
bool history_candidate_commits(
    struct arena *arena, const struct history_point *point, size_t change, struct candidate_commits *out);

// Counts the changes at one run (numbered from 0). A set of five or more changes is one-sided if four of five go the
// same way; then the machine is the likely cause.
struct level_shifts {
    size_t moved, slower;
    bool one_sided;
};
struct level_shifts history_level_shifts(const struct history *history, size_t run);
void put_level_shifts(struct text *out, const struct level_shifts *shifts); // "17 of 18 moved one way, slower"

// A change, as a row of a table.
struct change_row {
    const struct history_point *point;
    size_t change;                    // index within the point, from 0
    struct candidate_commits commits; // zeroed if unknown
    struct level_shifts shifts;       // all changes at the same run
};
// Lists all changes in the arena and returns their number. Changes put down to the machine come last; otherwise they
// are sorted by point, newest first.
size_t change_rows(const struct history *history, struct arena *arena, struct change_row **out);
extern const struct column change_columns[];

#endif
