// SPDX-License-Identifier: Apache-2.0
// Shapes: values of a kernel's tunables, set by name, and the list of shapes of a case.
#ifndef VKASSAY_PLAN_SHAPE_H
#define VKASSAY_PLAN_SHAPE_H

#include "../plan/legal.h"
#include "../plan/suite.h"

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

// A shape of a case, and the reason why it cannot run there. NULL: it can.
struct shape_found {
    struct shape shape;
    const struct refusal *refused;
};

struct shape_request {
    struct trial trial;
    enum shape_choice choice;
    int some;                   // for SHAPES_SOME: how many beside the default and the systems' shapes
    const struct shape *listed; // for SHAPES_LISTED
    size_t listed_count;
};

// Lists the shapes of a case: legal ones first (default, systems, then by value), then refused ones. If no shape can
// run the case, the list is its default shape, refused.
//
// A refused shape is listed if it is the default, a system's or in `listed`, and under SHAPES_ALL. A shape refused
// only by a rule about these dims is not listed under SHAPES_ALL. With more than 8192 shapes, SHAPES_ALL means a
// spread of 1024 legal ones.
struct shape_found *shapes_of_case(const struct shape_request *request, size_t *count);

#endif
