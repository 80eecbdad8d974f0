// SPDX-License-Identifier: Apache-2.0
// Lengths of buffers as a shader asks for them (GLSL's .length(), WGSL's arrayLength).
#ifndef VKASSAY_DEVICE_LENGTHS_H
#define VKASSAY_DEVICE_LENGTHS_H

#include "../shaders/shader.h"

// A copy of a module in which every length that it asks for is less by as many elements as `bytes` hold, so that it
// sees the data's end in bindings that reach this much further. The words are in the arena. STATUS_BAD_INPUT: an
// array's elements cannot be told, or do not fill `bytes`.
bool lengths_shorten(
    struct arena *arena, const struct spirv *spirv, uint32_t bytes, struct spirv *out, struct error *err);

#endif
