// SPDX-License-Identifier: Apache-2.0
// Compares a kernel's manifest with its shaders, on a device with every feature.
#ifndef VKASSAY_PROGRAM_AGREEING_H
#define VKASSAY_PROGRAM_AGREEING_H

#include "../agree.h"
#include "../reads_back.h"

#include "../../../device/device_info.h"
#include "../../../shader/manifest/kernel.h"
#include "../../../../reference/tests/unit.h"

static const char *const includes[] = {"kernels/include"};
static struct run_options options = {.include_folders = includes, .include_count = 1};

// Returns a device with every feature.
static inline struct device_info rich_device(void) {
    struct device_info device = {.max_invocations = 1024, .push_bytes = 128, .subgroup_size = 32};
    for (int f = 0; f < FEATURE_COUNT; f++) device.features[f] = true;
    return device;
}

// Compares them. *back receives the buffers that the kernel reads back.
static inline bool try(const struct kernel *kernel, enum dtype dtype, const struct device_info *device,
    struct reads_back *back, struct error *err) {
    struct point point = {.kernel = kernel, .dtype = dtype, .shape = kernel_default_shape(kernel, NULL)};
    struct loaded loaded[KERNEL_PASSES];
    struct arena arena = {0};
    bool ok = shaders_load(&arena, device, &options, &point, loaded, err) && agree(&arena, &point, loaded, device, err);
    *back = ok ? reads_back_of(&point, loaded) : (struct reads_back){0};
    arena_free(&arena);
    return ok;
}

#endif
