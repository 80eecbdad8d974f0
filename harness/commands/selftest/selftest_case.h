// SPDX-License-Identifier: Apache-2.0
// One case of a self-test: a kernel at a small size.
#ifndef VKASSAY_COMMANDS_SELFTEST_CASE_H
#define VKASSAY_COMMANDS_SELFTEST_CASE_H

#include "../../shader/manifest/kernel.h"

#include <json-c/json.h>

struct record;

struct selftest_request {
    const struct record *record;      // a point that passed: its type, its shape, and its float controls
    const struct kernel *kernel;      // NULL: not found
    const struct device_info *device; // its limits and the rules of the kernel decide which sizes are legal
    size_t most_bytes;                // of the data, as base64
};

// Returns the case at the largest sizes whose data fit, for the caller to release. The sizes are odd, so that the last
// workgroup of a grid is partly idle. Returns NULL with a reason if no size is legal, or the outputs are not numbers.
struct json_object *selftest_case(struct arena *arena, const struct selftest_request *request, struct error *err);

#endif
