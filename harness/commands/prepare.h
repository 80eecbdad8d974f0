// SPDX-License-Identifier: Apache-2.0
// Prepares devices, kernels and a suite for several commands.
#ifndef VKASSAY_COMMANDS_PREPARE_H
#define VKASSAY_COMMANDS_PREPARE_H

#include "../engine/plan/suite.h"
#include "../record/result_set.h"
#include "../engine/supervise/supervise.h"
#include "options.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../base/file.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

struct device_info;
struct result;
struct profile;

struct prepared {
    const char *home, *program;
    const char *own_kernels;                         // the program's folder of kernels
    const char *only;                                // the user's folder, used instead of it; NULL: it is used
    const char *kernel_folders[2 * OPTION_LIST + 2]; // the program's own ("": without it), then the user's
    size_t kernel_folder_count;
    struct kernels kernels;
    struct device_info *devices; // best first
    size_t device_count;
    size_t chosen[64], chosen_count;
};

// Finds the program's files and loads every kernel. Reports manifest errors on standard error.
bool prepare_kernels(struct arena *arena, const struct options *options, struct prepared *out, struct error *err);

// Returns whether the command line asks for a captured folder, by a word or by --only. Its dispatches are the suite.
bool asks_for_capture(const struct options *options);
// Refuses captured folders: the verb needs other workgroup sizes, or an operator as the judge.
bool refuse_capture(const char *verb, const struct options *options, struct error *err);

// Reports manifest errors. The kernels with errors are left out.
void prepare_say_mistakes(const struct options *options, const struct kernels *kernels);

// Reads the profile of --limits; its name is empty without it.
bool prepare_profile(const struct options *options, struct profile *out, struct error *err);

// Asks a worker for the devices, ranks them, chooses by --device and applies that profile.
bool prepare_devices(struct arena *arena, const struct options *options, struct prepared *out, struct error *err);

// Loads a suite by name (from suites/) or path. For an unknown name, the error lists the suites. With --only, keeps
// the entries naming a kernel of that folder. Entries naming no kernel at all also stay, so that planning refuses
// them.
bool prepare_suite(
    struct arena *arena, const struct prepared *prepared, const char *name, struct suite *out, struct error *err);

// Adds sizes on this device for selected kernels missing from the suite (plan/suite_sizes.h). Sizes come from the
// program's suites; with --suite nothing is added. `tuned` and `shapes` are as there. Prints the source of the sizes.
bool prepare_sizes(struct arena *arena, const struct prepared *prepared, const struct options *options,
    const struct device_info *device, bool tuned, enum shape_choice shapes, struct suite *suite, struct error *err);
// Returns whether all words of the command line are whole point names, so that no suite is needed.
bool words_are_points(const struct options *options);
// Puts the sizes of --dims into the suite. Without --suite, a suite lacking these names becomes empty.
bool prepare_dims(struct arena *arena, const struct options *options, struct suite *suite, struct error *err);

// Makes the context of a result of this suite, with the current time.
struct json_object *prepare_context(
    struct arena *arena, const struct options *options, const struct suite *suite, const struct device_info *device);

// Returns the number of workers at once: --jobs, else one for each core, at most 8.
int prepare_jobs(const struct options *options);

// Returns the folder of a run: the one to resume, or a new ROOT/DEVICE/TIME-NAME. A second run within the same second
// gets a number behind its name.
const char *prepare_folder(
    struct arena *arena, const struct options *options, const struct device_info *device, const char *name);

// Makes a session on this device. It has the program, the kernels for its workers, the run's options, the suite's
// settings and the cache.
struct session prepare_session(struct arena *arena, const struct prepared *prepared, const struct options *options,
    const struct suite *suite, const struct device_info *device);

// Reports the files left out, each on a line of standard error.
void say_skipped(const char *verb, const struct result_files *files);

// Returns the folder for output made of the result options->words[index]: its own, or under --out.
const char *folder_for(struct arena *arena, const struct options *options, size_t index);

// Collects the folders for shader includes: include/ of the program's own kernels, then of each user folder.
void prepare_includes(struct arena *arena, const struct prepared *prepared, const char **folders, size_t *count);

// ---- where the program's files are

// Returns the folder for compiled shaders and pipeline caches: $VKASSAY_CACHE, $XDG_CACHE_HOME/vkassay or
// ~/.cache/vkassay. Makes it if needed. NULL if it cannot be made: then nothing is cached.
const char *cache_folder(struct arena *arena);

#endif
