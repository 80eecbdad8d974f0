// SPDX-License-Identifier: Apache-2.0
// Patterns of point names.
#ifndef VKASSAY_SHADER_SELECT_NAME_H
#define VKASSAY_SHADER_SELECT_NAME_H

#include <stdbool.h>

// Returns whether the glob matches the name of a point or kernel, or one of its leading parts. The operator's name or
// the family's name may replace the kernel's name. A family's name must be written without wildcards. If an operator
// has the same name, the operator is meant.
bool select_matches(const char *glob, const char *name);

#endif
