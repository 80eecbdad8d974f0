// SPDX-License-Identifier: Apache-2.0
// Shapes: values of a kernel's tunables, set by name, and the list of them for a case.
#ifndef VKASSAY_PLAN_SHAPE_H
#define VKASSAY_PLAN_SHAPE_H

#include "../plan/legal.h"
#include "../plan/suite.h"

// Sets one tunable. NULL, or why not: no such tunable, or a value that the manifest does not list.
const char *shape_set(
    struct arena *arena, const struct kernel *kernel, struct shape *shape, const char *name, int64_t value);

bool shape_equal(const struct kernel *kernel, const struct shape *a, const struct shape *b);

// The product of the tunables' values in order, the last tunable fastest: the first shape, then the next one. `digit`
// counts, from zeros; false after the last.
struct shape shape_first(const struct kernel *kernel);
bool shape_next(const struct kernel *kernel, int *digit, struct shape *shape);

// Systems whose hard-coded shape this is, "torchless,candle"; "" when none.
const char *shape_systems(struct arena *arena, const struct kernel *kernel, const struct shape *shape);

// A shape of a case and why it cannot run there (NULL: it can).
struct shape_found {
    struct shape shape;
    const struct refusal *refused;
};

struct shape_request {
    struct trial trial;
    enum shape_choice choice;
    int some;                   // for SHAPES_SOME: how many beside default and systems
    const struct shape *listed; // for SHAPES_LISTED
    size_t listed_count;
};

// The shapes of a case in order: legal ones first (default, systems, then by value), refused ones
// after. A case that no shape can run is its default shape, refused. A refused shape is listed when
// it is the default, a seed's or was named, or under SHAPES_ALL; one that only a rule about these
// dims refuses, not even then. Of a product beyond 8192 shapes, all are a spread of 1024 legal ones.
struct shape_found *shapes_of_case(const struct shape_request *request, size_t *count);

#endif
