// SPDX-License-Identifier: Apache-2.0
// Peaks that were measured before, by this program on this device and driver: CACHE/peaks-KEY.json.
#ifndef VKASSAY_COMMANDS_KNOWN_PEAKS_H
#define VKASSAY_COMMANDS_KNOWN_PEAKS_H

#include "bench_run.h"

// Gives the session the records of peaks that the command line does not ask for and that are remembered; its context
// receives when the oldest of them was measured (run.peaks_from), which is returned, NULL where there is none. A file
// that cannot be read counts as none, and a peak whose kernel has changed since is measured.
const char *known_peaks_take(struct arena *arena, const struct run *run, struct session *session);

// Remembers what this run has measured of peaks, unless its options time them in another way than usual.
void known_peaks_keep(struct arena *arena, const struct run *run, const struct device_run *one);

// Lets go of what the session was given.
void known_peaks_release(struct session *session);

#endif
