// SPDX-License-Identifier: Apache-2.0
// Answers of a run about rates (--repeat), batch invariance (--invariant) and ladders of sizes (--dims n=1..64).
#ifndef VKASSAY_COMMANDS_QUESTIONS_H
#define VKASSAY_COMMANDS_QUESTIONS_H

#include "../../record/result.h"
#include "../command.h"

// Prints a block of text for each point with differing executions, for a report to the driver's maintainers. Then it
// counts the points, and those not repeated.
void repeated_tell(const struct result *result);

// Prints sets of kernels and sizes with equal bits in the first line, for each case apart from the dim. Returns whether
// each case has one set.
bool invariant_tell(struct arena *arena, const struct result *result, const char *dim);

// Leaves only right shapes with one set of bits in the result of a search, for each problem apart from the dim, and
// prints the price. The set has the least times over all sizes. Returns whether each problem has one.
bool invariant_choose(struct arena *arena, struct result *result, const char *dim);

// Prints the times of each kernel and shape along a ladder, and its cliffs. At a cliff there is a cheaper way: a larger
// size (pad), two smaller ones (split), or another kernel.
void ladder_tell(struct arena *arena, const struct result *result, const char *dim);

#endif
