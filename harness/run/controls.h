// SPDX-License-Identifier: Apache-2.0
// What a SPIR-V module says of itself: the float controls it declares, which decide what its results may be held to, and
// whether it asks for the length of a buffer.
#ifndef VKASSAY_RUN_CONTROLS_H
#define VKASSAY_RUN_CONTROLS_H

#include "../judge/judge.h"

#include <stddef.h>

// Reads OpExecutionMode of RoundingModeRTE, SignedZeroInfNanPreserve and DenormPreserve for `bits` wide floats
// (32 or 16). A module that is no SPIR-V declares nothing.
struct policy controls_declared(const uint32_t *words, size_t count, uint32_t bits);

// Whether the module holds OpArrayLength (GLSL's .length(), WGSL's arrayLength).
bool controls_array_length(const uint32_t *words, size_t count);

#endif
