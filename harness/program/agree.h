// SPDX-License-Identifier: Apache-2.0
// Whether shaders are what their manifest says: asked before anything is made of them, so that a slip is named as what
// it is instead of showing as wrong numbers or a lost device.
#ifndef VKASSAY_RUN_AGREE_H
#define VKASSAY_RUN_AGREE_H

#include "../shaders/shader.h"
#include "shaders.h"

// STATUS_BAD_INPUT names the disagreement; ERROR_SKIP a capability that the device lacks.
bool agree(struct arena *arena, const struct point *point, const struct loaded loaded[KERNEL_PASSES],
    const struct device_info *device, struct error *err);

// Its parts that have a file of their own.
bool agree_bindings(
    struct arena *arena, const struct point *point, const struct loaded *loaded, int index, struct error *err);
bool agree_parameters(
    struct arena *arena, const struct point *point, const struct loaded *loaded, int index, struct error *err);

// "binding 3", "binding 3 of set 1".
const char *binding_place_text(struct arena *arena, struct binding_place place);

#endif
