// SPDX-License-Identifier: Apache-2.0
// `list coverage`: the operators that pass in results, as markdown.
#ifndef VKASSAY_COMMANDS_LIST_COVERAGE_H
#define VKASSAY_COMMANDS_LIST_COVERAGE_H

#include "../prepare.h"

// Prints every operator with its kernels and types, and a column for each result behind the first word. Files of
// other known kinds are named on standard error and skipped. False: a result cannot be read, or there is none.
bool list_coverage(
    struct arena *arena, const struct options *options, const struct prepared *prepared, struct error *err);

#endif
