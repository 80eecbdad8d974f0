// SPDX-License-Identifier: Apache-2.0
// The device for tests.
#ifndef VKASSAY_CHECK_BEST_DEVICE_H
#define VKASSAY_CHECK_BEST_DEVICE_H

#include "../../../base/tests/needs.h"
#include "../../vulkan/gpu.h"
#include "../../../device/limits.h"
#include "../../../device/device_info.h"

// Finds the best device, in `arena`. *out is NULL if there is none; tests then skip. Returns false if enumeration
// fails.
static inline bool best_device(struct arena *arena, const struct device_info **out) {
    struct error err = {0};
    struct device_info *devices;
    size_t count, best, chosen;
    *out = NULL;
    if (!gpu_enumerate(arena, &devices, &count, &err)) return false;
    if (count > 0 && device_choose(devices, count, NULL, &best, &chosen, &err)) *out = &devices[best];
    return true;
}

#endif
