// SPDX-License-Identifier: Apache-2.0
// One entry of a suite file.
#ifndef VKASSAY_PLAN_SUITE_ENTRY_H
#define VKASSAY_PLAN_SUITE_ENTRY_H

#include "../base/json.h"
#include "suite.h"

bool suite_entry_read(
    struct arena *arena, const struct json_at *at, struct suite_entry *out, struct error *err);

#endif
