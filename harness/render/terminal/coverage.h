// SPDX-License-Identifier: Apache-2.0
// What is covered, by operator and type: what points of each came to on each device, how near errors come to their
// bounds and how they stand to those of other kernels. Private to harness/render.
#ifndef VKASSAY_RENDER_COVERAGE_H
#define VKASSAY_RENDER_COVERAGE_H

#include "../../base/arena.h"
#include "../../manifest/kernel.h"
#include "../../record/result.h"
#include "tally.h"

// A kernel in one of its types, over all devices.
struct covered_kernel {
    const struct kernel *kernel;
    struct point_tally tally;
};

// An operator in one type that a kernel of it has, or that was run.
struct covered_type {
    const struct op *op;
    enum dtype dtype; // DTYPE_CASE: nothing has or ran this operator
    struct covered_kernel *kernels;
    size_t kernel_count;
    struct point_tally *devices; // by column
    double worst_share; // how much of its bound the worst error that passed takes up; below 0: none has a bound
    // The kernel that stands worst beside the others of its operator and type, on one device and at one size: its
    // largest error over the least of theirs, both at least 0.5 ULP. NULL: none stands beside another.
    const char *apart;
    double apart_by;
};

struct coverage {
    const struct result *results;
    size_t count;
    struct arena arena;
    size_t *columns; // the result that is the first of each device
    size_t column_count;
    struct covered_type *types; // in the order of the table of operators, then of types
    size_t type_count;
};

// Released with arena_free of its arena; refers to what it is made of.
void coverage_make(struct coverage *out, const struct kernels *kernels, const struct result *results, size_t count);
bool kernel_is_covered(const struct covered_kernel *kernel);                      // it passed somewhere
bool holds_everywhere(const struct coverage *c, const struct covered_type *type); // passes and no failures, each device

#endif
