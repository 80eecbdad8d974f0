// SPDX-License-Identifier: Apache-2.0
// The parts of agree.h that have a file of their own.
#ifndef VKASSAY_RUN_AGREE_PARTS_H
#define VKASSAY_RUN_AGREE_PARTS_H

#include "../device/shader.h"
#include "agree.h"

// A capability that vkassay enables where the device has it; feature -1: every device that runs a shader with it
// would say so only through its driver.
struct capability {
    uint32_t number;
    const char *name;
    int feature;
};
const struct capability *capability_numbered(uint32_t number); // NULL: never enabled

bool agree_bindings(
    struct arena *arena, const struct point *point, const struct loaded *loaded, int index, struct error *err);
bool agree_parameters(
    struct arena *arena, const struct point *point, const struct loaded *loaded, int index, struct error *err);

#endif
