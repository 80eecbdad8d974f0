// SPDX-License-Identifier: Apache-2.0
// Checks every output of an operator for whole-number inputs: known ones (struct known_outputs), or long sums.
#ifndef VKASSAY_CHECK_EXACT_KNOWN_H
#define VKASSAY_CHECK_EXACT_KNOWN_H

#include "check.h"

// Fills the problem's inputs with such numbers. Returns the known outputs, and behind them the allowed error of each;
// the caller frees them.
double *known_make(struct problem *problem);
// Returns the same for inputs that are whole numbers already. An output that need not be exact may have any
// error; NULL: all of them may.
double *known_sums(const struct problem *problem);
// Compares the outputs with `want`; a wrong one fails the record.
void known_judge(
    const struct problem *problem, const double *want, bool rte, struct arena *arena, struct record *record);

#endif
