// SPDX-License-Identifier: Apache-2.0
// Several results: found in folders, read together, grouped by device, and joined so that each point counts once.
//
// Each reader takes one projection of the device (device_key.h):
//
//   history            DEVICE_UNIT: drivers and systems are what it compares. DEVICE_MODEL on demand.
//   gallery, devices   DEVICE_UNIT_AND_DRIVER: the times of a card belong together.
//   compiled           DEVICE_UNIT: the results of one compiler differ by its version.
//   coverage           DEVICE_MODEL_AND_DRIVER: each unit proves the same code.
//
// The tuned table of many devices (tune/joined.h) reads one result at a time, and takes DEVICE_MODEL and DEVICE_UNIT.
#ifndef VKASSAY_RECORD_RESULT_SET_H
#define VKASSAY_RECORD_RESULT_SET_H

#include "../base/error.h"
#include "device_key.h"
#include "result.h"

// ---- files

struct result_file {
    const char *path;
    bool found; // in a folder: it is left out if it cannot be read. Otherwise the user named it.
};
struct result_files {
    struct result_file *items;
    size_t count;
    const char **skipped; // why files were left out
    size_t skipped_count;
};

// Replaces each word that is a folder by the results below it. STATUS_BAD_INPUT: a folder has none. All is in the
// arena, except that the words are borrowed.
bool result_files_find(
    struct arena *arena, const char *const *words, size_t count, struct result_files *out, struct error *err);

typedef bool result_reader(const char *path, struct result *out, struct error *err); // result_read and its kin
// Takes the result of file `place`, and frees it when it likes.
typedef void result_taker(void *user, size_t place, struct result *result);

// Reads results on all cores, and gives them to `take` in any order, one at a time. A file found in a folder is noted
// as skipped if it cannot be read. Returns false for the first unreadable one that was named; `take` may have had
// others.
bool result_files_read(struct arena *arena, struct result_files *files, result_reader *read, result_taker *take,
    void *user, struct error *err);

// ---- results in memory

struct result_set {
    struct result *results;
    const char **paths;
    size_t count;
};

// Reads files into a set, without those that were skipped. The caller frees it, also after an error.
bool result_set_read(
    struct arena *arena, struct result_files *files, result_reader *read, struct result_set *out, struct error *err);
// Reads named results.
bool result_set_of(struct arena *arena, const char *const *paths, size_t count, result_reader *read,
    struct result_set *out, struct error *err);
void result_set_free(struct result_set *set);

// ---- one device

// Returns when a run began, "2026-01-02T03:04:05Z"; "" if unknown. Such texts sort by date.
const char *result_started(const struct result *result);

// The results of one device by their places, newest first; of one start the last given is the newest.
struct result_group {
    size_t *places;
    size_t count;
};
// Returns the number of groups, in the order of their first results, in the arena.
size_t result_groups(const struct result *results, size_t count, enum device_projection projection, struct arena *arena,
    struct result_group **out);

// Joins the results of a group. Each point counts once, from the newest result. An older one counts if it ran or timed
// the point and the newer one did not. Device and peaks are of the newest result with a measured copy. The joined
// result borrows all, and its records are in the arena.
void result_join(
    const struct result *results, const struct result_group *group, struct arena *arena, struct result *out);

#endif
