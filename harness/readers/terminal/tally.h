// SPDX-License-Identifier: Apache-2.0
// Counts the outcomes of points and puts them in a few words of markdown. Private to harness/readers/render.
#ifndef VKASSAY_RENDER_TALLY_H
#define VKASSAY_RENDER_TALLY_H

#include "../../base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct record;

struct point_tally {
    size_t pass, skip, fail;
    const struct record *skipped; // the first skipped record
};

void tally_count(struct point_tally *tally, const struct record *record);
bool holds(const struct point_tally *tally); // some points passed and none failed

// Appends "pass (12)", "**fail** (1 of 12)", "skip (3): no float16" or "pass (12), skip (3): no float16"; a dash if
// nothing ran. The reason is the first skip's.
void put_verdict(struct text *out, const struct point_tally *tally);

#endif
