// SPDX-License-Identifier: Apache-2.0
// Compares shaders with their manifest before anything is built from them. A mistake then gets its own message
// instead of wrong numbers or a lost device.
#ifndef VKASSAY_PROGRAM_AGREE_H
#define VKASSAY_PROGRAM_AGREE_H

#include "../../shader/compile/shader.h"
#include "shaders.h"

// Returns false on a mismatch. STATUS_BAD_INPUT names the disagreement; ERROR_SKIP names a capability that the device
// lacks.
bool agree(struct arena *arena, const struct point *point, const struct loaded loaded[KERNEL_PASSES],
    const struct device_info *device, struct error *err);

// Returns why no device runs the shader: a capability never enabled here. NULL: all are.
const char *agree_never_enabled(struct arena *arena, const struct shader_interface *shader);

// Parts of agree() with files of their own.
bool agree_bindings(
    struct arena *arena, const struct point *point, const struct loaded *loaded, int index, struct error *err);
bool agree_parameters(
    struct arena *arena, const struct point *point, const struct loaded *loaded, int index, struct error *err);

// Returns "binding 3" or "binding 3 of set 1".
const char *binding_place_text(struct arena *arena, struct binding_place place);

#endif
