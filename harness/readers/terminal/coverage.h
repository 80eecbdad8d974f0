// SPDX-License-Identifier: Apache-2.0
// Coverage by operator and type: the outcomes on each device, how close errors come to their bounds, and how kernels
// compare in error. Private to harness/readers/render.
#ifndef VKASSAY_RENDER_COVERAGE_H
#define VKASSAY_RENDER_COVERAGE_H

#include "../../base/arena.h"
#include "../../shader/manifest/kernel.h"
#include "../../record/result_set.h"
#include "tally.h"

#include <stdbool.h>
#include <stddef.h>

// A kernel in one of its types, over all devices.
struct covered_kernel {
    const struct kernel *kernel;
    struct point_tally tally;
};

// An operator in one type. Some kernel of the operator has this type, or a point of it ran.
struct covered_type {
    const struct op *op;
    enum dtype dtype; // DTYPE_CASE: the operator has no kernel and no point
    struct covered_kernel *kernels;
    size_t kernel_count;
    struct point_tally *devices; // by column
    double worst_share;          // worst passed error as a share of its bound; below 0: no bound
    // The kernel with the worst error relative to other kernels of its operator and type, on one device at one size.
    // `apart_by` is its largest error over the least of theirs, both at least 0.5 ULP. NULL: there is no other kernel.
    const char *apart;
    double apart_by;
};

struct coverage {
    const struct result *results;
    size_t count;
    struct arena arena;
    struct result_group *columns; // a device each
    size_t column_count;
    struct covered_type *types; // in the order of the table of operators, then of types
    size_t type_count;
};

// Fills `out`, which refers to its inputs. Free it with arena_free on its arena.
void coverage_make(struct coverage *out, const struct kernels *kernels, const struct result *results, size_t count);
bool kernel_is_covered(const struct covered_kernel *kernel);                      // it passed on some device
bool holds_everywhere(const struct coverage *c, const struct covered_type *type); // passes, no failures, each device

#endif
