// SPDX-License-Identifier: Apache-2.0
// One point of an exhaustive check: every input of its range run on the device and judged, in pieces of the dim n.
// Three pieces are on their way at any time, so that one is judged on all cores while the device runs another.
#ifndef VKASSAY_RUN_EXHAUSTIVE_RUN_H
#define VKASSAY_RUN_EXHAUSTIVE_RUN_H

#include "../program/program.h"

struct exhaustive;

// What points of an exhaustive check that follow each other share. NULL on failure.
struct exhaustive *exhaustive_open(struct gpu *gpu, struct error *err);
void exhaustive_close(struct gpu *gpu, struct exhaustive *exhaustive); // accepts NULL

// Fills record->check and record->exhaustive; a wrong result sets the status to fail with the reason, and the replay
// line to the piece that holds the worst argument. Every piece is checked as a point is: poison, guards, inputs
// unchanged, a second run. The time it takes goes to `phases`. False: the device failed.
bool exhaustive_point(struct exhaustive *exhaustive, struct gpu *gpu, const struct run_options *options,
    const struct point *point, const struct built *built, struct phase_timer *phases, struct arena *arena,
    struct record *record, struct error *err);

#endif
