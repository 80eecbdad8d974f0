// SPDX-License-Identifier: Apache-2.0
// What is likely the reason, where a kernel is wrong in a way that a habit of shaders explains.
#ifndef VKASSAY_RUN_HINTS_H
#define VKASSAY_RUN_HINTS_H

#include "check.h"

// Appends to the reason of a record that failed.
void hints_add(const struct check_request *request, struct arena *arena, struct record *record);

#endif
