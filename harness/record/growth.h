// SPDX-License-Identifier: Apache-2.0
// Whether the error of a point grew from one result to another.
#ifndef VKASSAY_RECORD_GROWTH_H
#define VKASSAY_RECORD_GROWTH_H

#include "../base/names.h"
#include "result.h"

// Adds the kernels whose bits are not the same twice, which their manifests allow: those with a record that passed
// though its runs gave different bits, or that was looked at for how its errors spread.
void unsteady_add(struct names *unsteady, const struct result *result);

// Whether the error of a right point, as a share of its bound, is above 1 % and more than `factor` times what it was.
//
// Of an unsteady kernel the least of all runs in `new` must be above half the bound and more than `factor` times the
// largest of all runs in `base`. The runs of one process are not independent of each other, as the order of additions
// is often the same in all of them and another in the next process, so that their spread alone does not tell growth
// from another order; another order hardly takes all of them to half the bound. Where either record has fewer than
// CHECK_RUNS runs, as in results from before there were such runs, nothing is said but what the check says: they stay
// within the bound.
bool error_grew(const struct record *base, const struct record *new, bool unsteady, double factor);

#endif
