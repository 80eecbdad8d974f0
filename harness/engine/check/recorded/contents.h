// SPDX-License-Identifier: Apache-2.0
// The contents of the operands of a recorded dispatch.
#ifndef VKASSAY_CHECK_CONTENTS_H
#define VKASSAY_CHECK_CONTENTS_H

#include "../inputs/problem_data.h"

// Reads what the operands held before the dispatch, and what the outputs held after it. STATUS_BAD_INPUT: a file is not
// what its name says.
bool recorded_fill(struct problem *problem, struct error *err);

// Puts the recorded bytes where an output still holds what was staged, if the recorded dispatch left these bytes as
// they were, too. So bytes that the kernel does not write are alike in every run. `bytes` are those of the operand,
// from the last run; other operands than outputs stay.
void recorded_settle(const struct problem *problem, int operand, unsigned char *bytes);

#endif
