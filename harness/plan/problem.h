// SPDX-License-Identifier: Apache-2.0
// Dims and parameters of a point, set by name from a suite or a point's name.
#ifndef VKASSAY_PLAN_PROBLEM_H
#define VKASSAY_PLAN_PROBLEM_H

#include "point.h"

struct problem_setter {
    struct arena *arena; // of the reasons
    struct point *point; // its kernel is set; dims and params are filled
    bool given[OPERATOR_DIMS + OPERATOR_PARAMS];
};

// Parameters at their defaults, nothing given yet.
struct problem_setter problem_setter(struct arena *arena, struct point *point);

// Sets a dim or a parameter. NULL, or why not: unknown, given twice, no whole number, out of range.
const char *problem_set(struct problem_setter *setter, const char *name, double value);

// After the last: every dim must be given, the operator derives the rest. NULL, or what is missing
// or not legal.
const char *problem_derive(struct problem_setter *setter);

// The key of a point's case under a seed; equal keys mean equal inputs. And that of one of its
// operands, from which its values and the characters of its lines are drawn.
uint64_t problem_key(const struct point *point, uint64_t seed);
uint64_t operand_key(uint64_t problem, int operand);

#endif
