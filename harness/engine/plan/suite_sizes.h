// SPDX-License-Identifier: Apache-2.0
// Sizes of a command line in place of a suite's, and sizes for kernels that the suite lacks.
#ifndef VKASSAY_PLAN_SUITE_SIZES_H
#define VKASSAY_PLAN_SUITE_SIZES_H

#include "suite.h"

// Reads such a text into a list of names with their sizes, in the arena. STATUS_USAGE: the text has another form.
bool sizes_read(struct arena *arena, const char *text, struct suite_values **list, size_t *count, struct error *err);

// Returns the name of a ladder in such a text, n=1..64, by its index; NULL: there are fewer, or the text is NULL.
const char *ladder_dim(struct arena *arena, const char *text, size_t index);

// Replaces a suite's sizes by those in `text`, such as "n=4M,rows=4096,rows=512". The names are dims or parameters.
// Sizes are whole numbers, and may end with k, M or G, the powers of 1024. A repeated name has several sizes. n=1..64
// is a ladder: each size up to 16 more than the first, then powers of two with their neighbours, halves between, and
// the last.
//
// An entry keeps only its dims with all these names, at the new sizes. Entries without such dims are left out, but
// entries serving a peak stay as they are. STATUS_USAGE: the text has another form, or no entry has these names; the
// error lists the names in the suite.
bool suite_set_sizes(struct arena *arena, struct suite *suite, const char *text, struct error *err);

// ---- sizes for kernels named on a command line but missing from the suite at hand

struct usual_request {
    const struct suite *sources; // sizes come from the first with any that run
    size_t source_count;
    const struct kernels *kernels;
    const struct device_info *device;
    const char *const *select; // words of the command line; none: every kernel
    size_t select_count;
    const char *sizes;        // sizes of --dims, in place of sizes with the same names; NULL: none
    bool each;                // adds points for every kernel a word names; false: only for words without any match
    bool tuned;               // skips kernels with only one shape
    enum shape_choice shapes; // for the added points
};

// Appends to `suite` an entry for each kernel and type named by a word and missing from the suite. A word without a
// type means f32, or the kernel's first type if it has no f32. A word may be the name of a case, with its own sizes.
//
// Other sizes come from the sources: sizes of the same kernel, otherwise of its operator, the three largest that run
// on the device. If the sources have none, sizes accepted by the operator are made up. *from receives the first
// source used, or NULL; `from` may be NULL. STATUS_USAGE: the operator refuses the sizes of the command line, or with
// `tuned` none of the kernels has several shapes.
bool usual_sizes(struct arena *arena, const struct usual_request *request, struct suite *suite,
    const struct suite **from, struct error *err);

#endif
