// SPDX-License-Identifier: Apache-2.0
// One point of a sweep: every input of its range run on the device and judged, in pieces of the dim n. Three pieces
// are on their way at any time, so that one is judged on all cores while the device runs another.
#ifndef VKASSAY_RUN_SWEEP_H
#define VKASSAY_RUN_SWEEP_H

#include "program.h"

struct sweep;

// What points of a sweep that follow each other share. NULL on failure.
struct sweep *sweep_open(struct gpu *gpu, struct error *err);
void sweep_close(struct gpu *gpu, struct sweep *sweep); // accepts NULL

// Fills record->check and record->exhaustive; a wrong result sets the status to fail with the reason, and the replay
// line to the piece that holds the worst argument. Every piece is checked as a point is: poison, guards, inputs
// unchanged, a second run. The time it takes goes to `watch`. False: the device failed.
bool sweep_point(struct sweep *sweep, struct gpu *gpu, const struct run_options *options, const struct point *point,
    const struct built *built, struct watch *watch, struct arena *arena, struct record *record, struct error *err);

#endif
