// SPDX-License-Identifier: Apache-2.0
// A store of results for their history: a folder, that many hosts may share.
//
//     STORE/DEVICE/DRIVER/STARTED-SUITE-GIT-SEED-N.json   a result, without raw samples
//     STORE/DEVICE/points                               names of points, a line each: their numbers from 0
//     STORE/DEVICE/runs                                 a line a run: what tells it, and its compute times by number
//
// The two lists are what is read: ten thousand runs are listed and drawn without opening one of them.
#ifndef VKASSAY_RECORD_STORE_H
#define VKASSAY_RECORD_STORE_H

#include "../base/names.h"
#include "result.h"

struct store_run {
    const char *file; // under the device's folder
    const char *started, *suite, *seed, *driver, *git;
    size_t points; // that were timed
    bool gone;     // pruned, and only to be written no more
};

struct store_time {
    uint32_t run, point;
    double median, lo, hi; // ns; 0: it ran and was not right
};

// All runs of one device, in the order they were added.
struct store_series {
    struct arena arena;
    const char *device, *folder; // the folder's name; its path
    const char **points;         // names, by number
    size_t point_count, point_capacity;
    struct store_run *runs;
    size_t run_count, run_capacity;
    struct store_time *times;
    size_t time_count, time_capacity;
};

// Adds a result; the store is made where it is not there. *added false: that run is there already. Several processes
// may add at once.
bool store_add(const char *store, const char *result_path, bool *added, struct error *err);

// Whether the folder is a store.
bool store_is(const char *path);

// Names of the devices' folders, sorted, in the arena. STATUS_BAD_INPUT: it is no store.
bool store_devices(struct arena *arena, const char *store, char ***devices, size_t *count, struct error *err);

// Reads the lists of a device; with `times`, what points took as well.
bool store_read(const char *store, const char *device, bool times, struct store_series *out, struct error *err);
void store_series_free(struct store_series *series);

// Removes all but the newest `keep` runs of each driver and suite (0: keeps all), and those that were started before
// `before` ("2026-01-31"; NULL: none). *removed: how many.
bool store_prune(
    const char *store, const char *device, size_t keep, const char *before, size_t *removed, struct error *err);

#endif
