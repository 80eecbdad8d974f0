// SPDX-License-Identifier: Apache-2.0
// Batch invariance: whether a line's bits depend on the number of lines. The kernel runs once more with only the
// first line of its operands. The bits of this line are compared with its bits among all lines.
#ifndef VKASSAY_CHECK_CHECK_LINES_H
#define VKASSAY_CHECK_CHECK_LINES_H

#include "check.h"

// Fills record->check.lines; nothing here is a failure. All outputs must have the same outermost dim, and inputs may
// have it only as their outermost. By the reference, the first line must not depend on the others. The problem is
// drawn anew, and the request's truth is made for it. Returns false if the device failed.
bool check_lines(const struct check_request *request, const struct built *built, struct truth *truth,
    const struct settings *settings, uint64_t seed, struct arena *arena, struct record *record, struct error *err);

// Hashes the bits of the first line along a dim, into record->check.first_line. Its inputs are the same at each size of
// the dim, for each kernel of a case, and for an operator that computes one line (struct op, line_of). Operators
// without lines along it have no hash. The inputs are as before afterwards. Returns false if the device failed.
bool check_first_line(
    const struct check_request *request, const char *dim, uint64_t seed, struct record *record, struct error *err);

#endif
