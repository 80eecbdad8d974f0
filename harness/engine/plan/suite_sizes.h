// SPDX-License-Identifier: Apache-2.0
// Sizes of a command line, used in place of a suite's sizes.
#ifndef VKASSAY_PLAN_SUITE_SIZES_H
#define VKASSAY_PLAN_SUITE_SIZES_H

#include "suite.h"

// Reads such a text into a list of names with their sizes, in the arena. STATUS_USAGE: the text has another form.
bool sizes_read(struct arena *arena, const char *text, struct suite_values **list, size_t *count, struct error *err);

// Replaces a suite's sizes by those in `text`, such as "n=4M,rows=4096,rows=512". The names are dims or parameters.
// Sizes are whole numbers, and may end with k, M or G, the powers of 1024. A repeated name has several sizes.
//
// An entry keeps only its dims with all these names, at the new sizes. Entries without such dims are left out, but
// entries serving a peak stay as they are. STATUS_USAGE: the text has another form, or no entry has these names; the
// error lists the names in the suite.
bool suite_set_sizes(struct arena *arena, struct suite *suite, const char *text, struct error *err);

#endif
