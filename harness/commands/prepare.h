// SPDX-License-Identifier: Apache-2.0
// What several commands need before they start: devices, kernels, a suite.
#ifndef VKASSAY_COMMANDS_PREPARE_H
#define VKASSAY_COMMANDS_PREPARE_H

#include "../plan/suite.h"
#include "../record/result.h"
#include "../supervise/supervise.h"
#include "options.h"
#include "../base/arena.h"
#include "../base/error.h"

struct prepared {
    const char *home, *program;
    const char *own_kernels;                     // the program's folder of kernels
    const char *only;                            // the user's, which stands instead of it; NULL: it does not
    const char *kernel_folders[OPTION_LIST + 2]; // the program's own ("": without), then the user's
    size_t kernel_folder_count;
    struct kernels kernels;
    struct device_info *devices; // best first
    size_t device_count;
    size_t chosen[64], chosen_count;
};

// Finds the program's files and loads every kernel; says on standard error what is wrong in manifests.
bool prepare_kernels(struct arena *arena, const struct options *options, struct prepared *out, struct error *err);

// Says the slips of manifests; the kernels are those without.
void prepare_say_slips(const struct options *options, const struct kernels *kernels);

// The profile of --limits and --max-buffer; without a name where neither is given.
bool prepare_profile(const struct options *options, struct profile *out, struct error *err);

// Asks a worker for the devices, ranks them, chooses by --device and holds them to that profile.
bool prepare_devices(struct arena *arena, const struct options *options, struct prepared *out, struct error *err);

// Loads a suite by name (from suites/) or path; an unknown name lists those there are. With --only its entries are
// those that name a kernel of that folder; what names none at all stays, so that planning refuses it.
bool prepare_suite(
    struct arena *arena, const struct prepared *prepared, const char *name, struct suite *out, struct error *err);

// Completes the suite on this device by sizes for what the words name and it has no point of (plan/usual_sizes.h): from
// the suites of the program, unless --suite chose one. `tuned` and `shapes` are as there. Says where sizes are from.
bool prepare_sizes(struct arena *arena, const struct prepared *prepared, const struct options *options,
    const struct device_info *device, bool tuned, enum shape_choice shapes, struct suite *suite, struct error *err);
// Whether the words of the command line are whole names of points, which need no suite.
bool words_are_points(const struct options *options);
// Puts the sizes of --dims into the suite. Without --suite, one that lacks their names becomes empty.
bool prepare_dims(struct arena *arena, const struct options *options, struct suite *suite, struct error *err);

const char *utc_now(struct arena *arena, const char *format); // as strftime has it

// The context of a result of this suite, as of now.
struct json_object *prepare_context(
    struct arena *arena, const struct options *options, const struct suite *suite, const struct device_info *device);

// How many workers are to be at work at once: as the command line says, else one a core, 8 at most.
int prepare_jobs(const struct options *options);

// Where a run goes: the folder that is resumed, or ROOT/DEVICE/TIME-NAME, which is not there yet: a second run within
// the same second gets a number behind its name.
const char *prepare_folder(
    struct arena *arena, const struct options *options, const struct device_info *device, const char *name);

// A session on this device as every command has it: the program and the kernels that its workers load, the options of
// the run as they were given, the suite's settings, the cache.
struct session prepare_session(struct arena *arena, const struct prepared *prepared, const struct options *options,
    const struct suite *suite, const struct device_info *device);

// Reads results, several at once where there are cores, all or none; release_results lets go of them. The second of the
// times reads those of compute alone.
bool read_results(
    struct arena *arena, const char *const *paths, size_t count, struct result **results, struct error *err);
bool read_results_compute(
    struct arena *arena, const char *const *paths, size_t count, struct result **results, struct error *err);
void release_results(struct result *results, size_t count);

// Where what is made of the result options->words[index] goes: beside it, or under --out.
const char *folder_for(struct arena *arena, const struct options *options, size_t index);

// The folders that shaders include from: include/ of the program's own kernels, then of each of the user's.
void prepare_includes(struct arena *arena, const struct prepared *prepared, const char **folders, size_t *count);

// ---- where the program's files are

// $VKASSAY_HOME, else the folder of the executable, the one above it, or the current one: the first that holds
// kernels/ and suites/. NULL with STATUS_BAD_INPUT that says where was looked.
const char *home_folder(struct arena *arena, struct error *err);

// Compiled shaders and pipeline caches: $VKASSAY_CACHE, $XDG_CACHE_HOME/vkassay or ~/.cache/vkassay; made when it is
// not there. NULL when it cannot be: then nothing is cached.
const char *cache_folder(struct arena *arena);

#endif
