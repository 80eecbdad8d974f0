// SPDX-License-Identifier: Apache-2.0
// Reading an entry of a suite file.
#ifndef VKASSAY_PLAN_SUITE_ENTRY_H
#define VKASSAY_PLAN_SUITE_ENTRY_H

#include "../base/json.h"
#include "suite.h"

// Appends the entries for one element of "entries": one for each kernel or operator it lists.
bool suite_entry_read(
    struct arena *arena, const struct json_at *at, struct suite *out, size_t *capacity, struct error *err);

#endif
