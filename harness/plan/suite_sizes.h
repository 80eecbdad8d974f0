// SPDX-License-Identifier: Apache-2.0
// Sizes of a command line, in place of those of a suite.
#ifndef VKASSAY_PLAN_SUITE_SIZES_H
#define VKASSAY_PLAN_SUITE_SIZES_H

#include "suite.h"

// Reads a text of that form into a list of names, each with its sizes, in the arena. STATUS_USAGE: it is none such.
bool sizes_read(struct arena *arena, const char *text, struct suite_values **list, size_t *count, struct error *err);

// `text`: "n=4M,rows=4096,rows=512": names of dims or parameters with their sizes, whole numbers that k, M or G may
// follow, powers of 1024; a name that stands twice has two sizes. Entries keep those of their dims that have all these
// names, at these sizes; entries that have none are left out, but for those that serve a peak. STATUS_USAGE: the text
// is none such, or no entry has the names; it says which names there are.
bool suite_set_sizes(struct arena *arena, struct suite *suite, const char *text, struct error *err);

#endif
