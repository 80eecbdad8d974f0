// SPDX-License-Identifier: Apache-2.0
// Describes the worst element of an output for a person.
#ifndef VKASSAY_CHECK_WORST_H
#define VKASSAY_CHECK_WORST_H

#include "../../base/arena.h"
#include "inputs/problem_data.h"

struct named_number; // record/terms.h
struct record;

// Lists the inputs' values at the element's place, if all their axes are axes of the output. Returns their number, at
// most `room`.
int worst_inputs(const struct problem *problem, int output, int64_t index, struct named_number *out, int room);

// Returns "got 1, want 0.5 (0x3800), at x = 3.4e+38, y[1, 5]". The wanted number is rounded to the output's type, and
// 16-bit types show their bits.
const char *worst_text(
    struct arena *arena, const struct problem *problem, int output, int64_t index, double got, double want);

#endif
