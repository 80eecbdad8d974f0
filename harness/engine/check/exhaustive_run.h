// SPDX-License-Identifier: Apache-2.0
// A point of an exhaustive check: every input of its range is run and judged, in pieces of the dim n. Three pieces
// are in flight, so all cores judge one while the device runs another.
#ifndef VKASSAY_CHECK_EXHAUSTIVE_RUN_H
#define VKASSAY_CHECK_EXHAUSTIVE_RUN_H

#include "../program/program.h"

struct phase_timer;
struct record;

struct exhaustive;

// Opens the state shared by consecutive points. Returns NULL on failure.
struct exhaustive *exhaustive_open(struct gpu *gpu, struct error *err);
void exhaustive_close(struct gpu *gpu, struct exhaustive *exhaustive); // accepts NULL

// Fills record->check and record->exhaustive. A wrong result sets the status to fail, with the reason, and the replay
// line to the piece with the worst argument. Every piece has the checks of a point: poison, guards, unchanged inputs,
// a second run. Its time goes to `phases`. Returns false if the device failed.
bool exhaustive_point(struct exhaustive *exhaustive, struct gpu *gpu, const struct run_options *options,
    const struct point *point, const struct built *built, struct phase_timer *phases, struct arena *arena,
    struct record *record, struct error *err);

#endif
