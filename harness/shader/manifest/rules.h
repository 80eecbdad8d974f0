// SPDX-License-Identifier: Apache-2.0
// The rules of a manifest at given dims: whether they hold, and the nearest dims at which all of them hold.
#ifndef VKASSAY_MANIFEST_RULES_H
#define VKASSAY_MANIFEST_RULES_H

#include "kernel.h"

// Returns whether the rule holds at these dims (derived ones set) and this shape. An overflow does not hold.
bool rule_holds(const struct kernel *kernel, const struct rule *rule, const int64_t *dims, const struct shape *shape);

// The direction of rounding a size to a multiple.
enum rules_way { RULES_UP, RULES_DOWN };

// Changes the given dims until every rule about dims holds. It rounds to a multiple, solves an equality, or lowers a
// size. `kept` is the dim chosen by the caller; it changes only if no other dim can (-1: none). `dims` has room for
// given and derived dims; the derived ones are computed again. Returns false and leaves *dims as it was if no such
// dims are found.
bool rules_meet(const struct kernel *kernel, const struct shape *shape, enum rules_way way, int kept, int64_t *dims);

#endif
