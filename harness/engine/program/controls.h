// SPDX-License-Identifier: Apache-2.0
// The float controls declared by a SPIR-V module. They decide how strictly its results are judged.
#ifndef VKASSAY_PROGRAM_CONTROLS_H
#define VKASSAY_PROGRAM_CONTROLS_H

#include "../../shader/compile/shader.h"
#include "../../device/limits.h"
#include "../../shader/spirv/controls_declared.h"

#include <stddef.h>

// Returns whether a shader with elements of the type (f16 or bf16) rounds its results to it by operations on integers.
// It does if the module has no such floats and no instruction that packs two f16; Vulkan leaves their rounding open.
bool controls_narrows(const uint32_t *words, size_t count, enum dtype dtype);

// Copies the declarations for 32 bits to 16-bit floats, if the module has such floats and the device has the control.
// GLSL itself can declare each control for only one width, because GL_EXT_spirv_intrinsics keeps one declaration of a
// mode. The new words are in the arena.
void controls_widen(struct arena *arena, const bool features[FEATURE_COUNT], struct spirv *spirv);

// Removes declarations that the device does not support, from a module made for all devices. The new words are in the
// arena.
void controls_fit(struct arena *arena, const bool features[FEATURE_COUNT], struct spirv *spirv);

#endif
