// SPDX-License-Identifier: Apache-2.0
// Shapes: values of a kernel's tunables, set by name, and the list of shapes of a case.
#ifndef VKASSAY_MANIFEST_SHAPE_H
#define VKASSAY_MANIFEST_SHAPE_H

#include "kernel.h"

// Sets one tunable. Returns NULL, or the reason: no such tunable, or a value not listed in the manifest.
const char *shape_set(
    struct arena *arena, const struct kernel *kernel, struct shape *shape, const char *name, int64_t value);

bool shape_equal(const struct kernel *kernel, const struct shape *a, const struct shape *b);

// Enumerates all combinations of the tunables' values in order, the last tunable fastest. `digit` starts as zeros.
// `shape_next` returns false after the last shape.
struct shape shape_first(const struct kernel *kernel);
bool shape_next(const struct kernel *kernel, int *digit, struct shape *shape);

// Returns the systems with this hard-coded shape, "torchless,candle"; "" if there are none.
const char *shape_systems(struct arena *arena, const struct kernel *kernel, const struct shape *shape);

// ---- the rules of a manifest at given dims: whether they hold, and the nearest dims at which all of them hold

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
