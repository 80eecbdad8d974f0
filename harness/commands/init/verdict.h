// SPDX-License-Identifier: Apache-2.0
// The verdict of `try --json`: one JSON object for programs that make kernels (reports/schema/verdict.schema.json).
#ifndef VKASSAY_COMMANDS_VERDICT_H
#define VKASSAY_COMMANDS_VERDICT_H

#include "../options.h"
#include "../../base/error.h"

// Prints the verdict of the result at `path`, or of an error without a result (path NULL): its text and status. The
// object is one line.
bool verdict_print(struct arena *arena, const struct options *options, const char *path, enum status status,
    const struct error *failed, struct error *err);

#endif
