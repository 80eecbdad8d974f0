// SPDX-License-Identifier: Apache-2.0
// What a SPIR-V module says of itself: the float controls it declares, which decide what its results may be held to.
#ifndef VKASSAY_RUN_CONTROLS_H
#define VKASSAY_RUN_CONTROLS_H

#include "../shaders/shader.h"
#include "../device/limits.h"
#include "../judge/judge.h"

#include <stddef.h>

// Reads OpExecutionMode of RoundingModeRTE, SignedZeroInfNanPreserve and DenormPreserve for `bits` wide floats
// (32 or 16). A module that is no SPIR-V declares nothing.
struct policy controls_declared(const uint32_t *words, size_t count, uint32_t bits);

// GLSL can declare each of the three for one width alone (GL_EXT_spirv_intrinsics keeps one declaration of a mode). A
// module that has 16-bit floats is given for them what it declares for 32 bits, where the device can. The new words are
// in the arena.
void controls_widen(struct arena *arena, const bool features[FEATURE_COUNT], struct spirv *spirv);

// Takes out what a module declares and a device lacks, of a module that is the same for all devices. The new words are
// in the arena.
void controls_fit(struct arena *arena, const bool features[FEATURE_COUNT], struct spirv *spirv);

#endif
