// SPDX-License-Identifier: Apache-2.0
// Every output of an operator for whose inputs of whole numbers the outputs are known (struct known_outputs).
#ifndef VKASSAY_RUN_EXACT_KNOWN_H
#define VKASSAY_RUN_EXACT_KNOWN_H

#include "check.h"

// Puts such numbers into the problem's inputs. What the outputs then are, and behind all of them how far each may be
// from that; the caller frees it.
double *known_make(struct problem *problem);
// Holds what the outputs are against it; a wrong one is in the record.
void known_judge(
    const struct problem *problem, const double *want, bool rte, struct arena *arena, struct record *record);

#endif
