// SPDX-License-Identifier: Apache-2.0
// The lengths of buffers, as a shader asks for them (GLSL's .length(), WGSL's arrayLength).
#ifndef VKASSAY_SPIRV_LENGTHS_H
#define VKASSAY_SPIRV_LENGTHS_H

#include "binary.h"

// Copies a module and shortens every length it asks for by the elements in `bytes`. If bindings extend beyond the
// data by `bytes`, the shader then sees the data's end. The words are in the arena. STATUS_BAD_INPUT: the size of an
// array's elements is unknown, or does not divide `bytes`.
bool lengths_shorten(
    struct arena *arena, const struct spirv *spirv, uint32_t bytes, struct spirv *out, struct error *err);

#endif
