// SPDX-License-Identifier: Apache-2.0
// Setting a point's dims and parameters by name, from a suite or from a point's name.
#ifndef VKASSAY_PLAN_PROBLEM_H
#define VKASSAY_PLAN_PROBLEM_H

#include "point.h"

struct problem_setter {
    struct arena *arena; // for the reasons
    struct point *point; // its kernel is set before; dims and params are filled in
    bool given[OPERATOR_DIMS + OPERATOR_PARAMS];
};

// Sets parameters to their defaults; nothing is given yet.
struct problem_setter problem_setter(struct arena *arena, struct point *point);

// Sets a dim or a parameter. Returns NULL, or the reason: unknown, given twice, not a whole number, out of range.
const char *problem_set(struct problem_setter *setter, const char *name, double value);

// Ends the setting: every dim must be given, and the operator derives the rest. Returns NULL, or the missing dim or
// the operator's objection.
const char *problem_derive(struct problem_setter *setter);

// `problem_key` returns the key of a point's case under a seed; equal keys mean equal inputs. `operand_key` returns
// the key of an operand. Its values and the patterns of its lines are drawn from this key.
uint64_t problem_key(const struct point *point, uint64_t seed);
uint64_t operand_key(uint64_t problem, int operand);

#endif
