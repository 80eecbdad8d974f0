// SPDX-License-Identifier: Apache-2.0
// Batch invariance: whether a line's bits stay the same when the number of lines changes. The kernel is run once more
// with the first line of its operands alone, and the bits of that are held against those that it had among all.
#ifndef VKASSAY_RUN_CHECK_LINES_H
#define VKASSAY_RUN_CHECK_LINES_H

#include "check.h"

// Of a point whose outputs all have the same outermost dim, that inputs have there too and nowhere else, and whose
// first line is by the reference the same alone: record->check.lines. Nothing is a failure. The problem is drawn anew;
// the request's truth becomes that of it. False: the device failed.
bool check_lines(const struct check_request *request, const struct built *built, struct truth *truth,
    const struct settings *settings, uint64_t seed, struct arena *arena, struct record *record, struct error *err);

#endif
