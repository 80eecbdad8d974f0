// SPDX-License-Identifier: Apache-2.0
// Sizes for kernels that a command line names and the suite at hand has no point of.
#ifndef VKASSAY_PLAN_USUAL_SIZES_H
#define VKASSAY_PLAN_USUAL_SIZES_H

#include "suite.h"

struct usual_request {
    const struct suite *sources; // sizes are taken from the first that has some which run
    size_t source_count;
    const struct kernels *kernels;
    const struct device_info *device;
    const char *const *select; // the words of the command line; none: every kernel
    size_t select_count;
    const char *sizes;        // of --dims (suite_sizes.h), in place of those of the same names; NULL: none
    bool each;                // every kernel that a word names gets a point; false: only words that match nothing do
    bool tuned;               // kernels that have one shape are passed over
    enum shape_choice shapes; // of the points that are added
};

// Appends to `suite` an entry for each kernel and type that a word names and the suite has no point of. A word without
// a type means f32, or the kernel's first type. A word may be a case's name: it has its own sizes. Others are those
// that the sources give this kernel, else its operator: the three largest that the device runs; else what the operator
// takes. *from receives the first source that was used, NULL where none was; it may be NULL. STATUS_USAGE: the operator
// refuses the sizes of the command line, or none of the kernels has a tunable.
bool usual_sizes(struct arena *arena, const struct usual_request *request, struct suite *suite,
    const struct suite **from, struct error *err);

#endif
