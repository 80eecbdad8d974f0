// SPDX-License-Identifier: Apache-2.0
// What points came to, in a few words of markdown. Private to
// harness/render.
#ifndef VKASSAY_RENDER_TALLY_H
#define VKASSAY_RENDER_TALLY_H

#include "../../base/text.h"
#include "../../record/result.h"

struct point_tally {
    size_t pass, skip, fail;
    const struct record *skipped; // the first
};

void tally_count(struct point_tally *tally, const struct record *record);
bool holds(const struct point_tally *tally); // points passed and none failed

// "pass (12)", "**fail** (1 of 12)", "skip (3): no float16", "pass (12), skip (3): no float16", or a dash where nothing
// was run. The reason is that of the first skip.
void put_verdict(struct text *out, const struct point_tally *tally);

#endif
