// SPDX-License-Identifier: Apache-2.0
// A store of results for their history: a folder, which many hosts may share.
//
//     STORE/DEVICE/DRIVER/STARTED-SUITE-GIT-SEED-N.json   A result, without raw samples.
//     STORE/DEVICE/points                                 The names of points, one a line, numbered from 0.
//     STORE/DEVICE/runs                                   A line for each run: its identity, its unit, and its
//                                                         compute times by point number.
//
// DEVICE is the name of a model; its units (device_key.h) share the lists. A line of an older store has no unit.
//
// Only the two lists are read, so ten thousand runs are listed and drawn without opening their results.
#ifndef VKASSAY_RECORD_STORE_H
#define VKASSAY_RECORD_STORE_H

#include "../base/names.h"
#include "terms.h"
#include "../base/arena.h"
#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store_run {
    const char *file; // relative to the device's folder
    const char *started, *suite, *seed, *driver, *git;
    const char *unit;  // device_unit; "": unknown, from an older store with several units
    const char *times; // the rest of its line, if `times` were not read
    size_t points;     // timed or failed
    bool gone;         // pruned: it will not be written again
};

struct store_time {
    uint32_t run, point;
    double median, lo, hi; // ns; 0: the point ran and was not right
};

// All runs of one model, in the order they were added.
struct store_series {
    struct arena arena;
    const char *device, *folder; // the folder's name; its path
    const char **points;         // names, by number
    size_t point_count, point_capacity;
    struct store_run *runs;
    size_t run_count, run_capacity;
    const char **units; // of the runs, in order of appearance
    size_t unit_count, unit_capacity;
    struct store_time *times;
    size_t time_count, time_capacity;
};

// Adds a result, and makes the store if there is none. *added false: the store has that run already, of this unit and
// with these times. Several processes may add at once.
bool store_add(const char *store, const char *result_path, bool *added, struct error *err);

// Returns whether the folder is a store.
bool store_is(const char *path);

// Lists the names of the devices' folders, sorted, in the arena. STATUS_BAD_INPUT: not a store.
bool store_devices(struct arena *arena, const char *store, char ***devices, size_t *count, struct error *err);

// Reads the lists of a device; with `times`, also the times of points.
bool store_read(const char *store, const char *device, bool times, struct store_series *out, struct error *err);
void store_series_free(struct store_series *series);

// Removes all but the newest `keep` runs of each unit, driver and suite (0: keeps all), and all runs started before
// `before` ("2026-01-31"; NULL: none). *removed receives their number.
bool store_prune(
    const char *store, const char *device, size_t keep, const char *before, size_t *removed, struct error *err);

#endif
