// SPDX-License-Identifier: Apache-2.0
// Names the likely cause of a failure if a common habit of shaders explains it.
#ifndef VKASSAY_CHECK_HINTS_H
#define VKASSAY_CHECK_HINTS_H

#include "check.h"

// Appends hints to the reason of a failed record.
void hints_add(const struct check_request *request, struct arena *arena, struct record *record);

#endif
