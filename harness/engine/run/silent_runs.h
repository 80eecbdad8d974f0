// SPDX-License-Identifier: Apache-2.0
// Remembers small sanitized runs without findings in the cache's folder, so that only changed kernels run again.
#ifndef VKASSAY_RUN_SILENT_RUNS_H
#define VKASSAY_RUN_SILENT_RUNS_H

#include "../../shader/compile/cache_file.h"

#include <stdbool.h>
#include <stdint.h>

struct record;
struct runner;
struct point;

// The place of a run in the cache.
struct silent_run {
    const char *path; // in the arena; NULL: there is no cache, or the shaders cannot be loaded
    uint8_t key[CACHE_KEY_BYTES];
};

// Finds the place. It follows from the code of all passes, manifest, sizes, shape, device, driver, and the program file
// of vkassay.
struct silent_run silent_run_of(struct arena *arena, const struct runner *runner, const struct point *small);

// Fills record->check.sanitized from an earlier silent run. Returns false if there is none.
bool silent_run_recall(const struct silent_run *run, struct record *record);

// Keeps a run if it logged accesses and has neither a finding nor a reason against it.
void silent_run_keep(const struct silent_run *run, const struct record *record);

#endif
