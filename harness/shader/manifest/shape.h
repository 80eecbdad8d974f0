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

#endif
