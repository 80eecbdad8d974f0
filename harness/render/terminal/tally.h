// SPDX-License-Identifier: Apache-2.0
// What the points of an operator came to in a result, in a few words of markdown. Private to
// harness/render.
#ifndef VKASSAY_RENDER_TALLY_H
#define VKASSAY_RENDER_TALLY_H

#include "../../base/text.h"
#include "../../record/result.h"

struct tally {
    size_t pass, skip, fail;
    const struct record *skipped; // the first
};

// Of one operator, or of every record where it is NULL.
struct tally tally_of(const struct result *result, const char *operator);
void tally_add(struct tally *sum, struct tally more);
bool holds(const struct tally *tally); // points passed and none failed

// "pass (12)", "**fail** (1 of 12)", "skip: no float16", or a dash where nothing was run.
void put_verdict(struct text *out, const struct tally *tally);

#endif
