// SPDX-License-Identifier: Apache-2.0
// The rules of a manifest at given dims: what holds, and the nearest dims at which all of them hold.
#ifndef VKASSAY_PLAN_RULES_H
#define VKASSAY_PLAN_RULES_H

#include "kernel.h"

// Returns whether the rule holds at these dims (derived ones set) and this shape. An overflow does not hold.
bool rule_holds(const struct kernel *kernel, const struct rule *rule, const int64_t *dims, const struct shape *shape);

// Which way a size is rounded to a multiple.
enum rules_way { RULES_UP, RULES_DOWN };

// Changes given dims until every rule holds that names dims: rounds to a multiple, solves for an equal one, lowers what
// is too large. `kept` is the dim that was chosen by the caller; it changes only where no other dim can (-1: none).
// `dims` has room for given and derived dims; the derived ones are set again. False: no such dims were found; *dims is
// then as it was.
bool rules_meet(const struct kernel *kernel, const struct shape *shape, enum rules_way way, int kept, int64_t *dims);

#endif
