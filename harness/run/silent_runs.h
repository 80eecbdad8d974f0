// SPDX-License-Identifier: Apache-2.0
// Remembers small sanitized runs without findings in the cache's folder, so that only changed kernels run again.
#ifndef VKASSAY_RUN_SILENT_RUNS_H
#define VKASSAY_RUN_SILENT_RUNS_H

#include <stdbool.h>

struct record;
struct runner;
struct point;

// Fills record->check.sanitized from an earlier silent run. The same are: the code of all passes, manifest, sizes,
// shape, device, driver, and the program file of vkassay. Returns false if there is no such run, or no cache.
bool silent_run_recall(const struct runner *runner, const struct point *small, struct record *record);

// Keeps a run if it logged accesses and has neither a finding nor a reason against it.
void silent_run_keep(const struct runner *runner, const struct point *small, const struct record *record);

#endif
