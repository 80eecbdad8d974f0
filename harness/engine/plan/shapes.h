// SPDX-License-Identifier: Apache-2.0
// The shapes of a case: which of them are listed, and why some cannot run.
#ifndef VKASSAY_PLAN_SHAPES_H
#define VKASSAY_PLAN_SHAPES_H

#include "../../shader/manifest/shape.h"
#include "legal.h"
#include "suite.h"

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

struct record;
// Returns the shape in which a record of the kernel was measured. A tunable that the record lacks has its default.
struct shape shape_of_record(const struct kernel *kernel, const struct record *record);

#endif
