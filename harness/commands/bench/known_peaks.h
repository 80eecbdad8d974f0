// SPDX-License-Identifier: Apache-2.0
// Peaks measured earlier by this program on this unit (record/device_key.h) and driver, in CACHE/peaks-KEY.json.
#ifndef VKASSAY_COMMANDS_KNOWN_PEAKS_H
#define VKASSAY_COMMANDS_KNOWN_PEAKS_H

#include "bench_run.h"
#include "../../record/device_key.h"

// Returns the file for a unit and its driver, with this program, in the arena; NULL: `cache` is.
const char *known_peaks_path(struct arena *arena, const char *cache, struct device_key key);

// Sets the session's floors by all remembered peaks whose kernels are among these and have not changed.
void known_peaks_floor(struct arena *arena, const struct kernels *kernels, struct session *session);

// Gives the session the remembered records of peaks the command line does not ask for. Returns the start of the
// oldest measurement and notes it in the context (run.peaks_from); NULL if nothing is reused. An unreadable file
// counts as empty. A peak is measured again if its kernel has changed.
const char *known_peaks_take(struct arena *arena, const struct run *run, struct session *session);

// Remembers the peaks of this run that are better than the remembered ones, unless its options time them in an unusual
// way.
void known_peaks_keep(struct arena *arena, const struct run *run, const struct device_run *one);

// Releases the records given to the session.
void known_peaks_release(struct session *session);

#endif
