// SPDX-License-Identifier: Apache-2.0
// The element of an output that is furthest from what it should be, as a person needs it.
#ifndef VKASSAY_RUN_WORST_H
#define VKASSAY_RUN_WORST_H

#include "../base/arena.h"
#include "../record/record.h"
#include "inputs/problem_data.h"

// Values of the inputs at the element's place: of those whose axes are all among the output's. Returns how many, `room`
// at most.
int worst_inputs(const struct problem *problem, int output, int64_t index, struct named_number *out, int room);

// "got 1, want 0.5 (0x3800), at x = 3.4e+38, y[1, 5]": what is wanted is a number of the output's type, with its bits
// where these are few.
const char *worst_text(
    struct arena *arena, const struct problem *problem, int output, int64_t index, double got, double want);

#endif
