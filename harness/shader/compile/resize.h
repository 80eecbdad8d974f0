// SPDX-License-Identifier: Apache-2.0
// Replaces the workgroup size that a shader is written with.
#ifndef VKASSAY_SHADERS_RESIZE_H
#define VKASSAY_SHADERS_RESIZE_H

#include "shader.h"

// Replaces the size in the text of GLSL, layout(local_size_x = 64, ...), and of HLSL, [numthreads(64, 1, 1)]. Their
// compilers put the size into the code, so values derived from gl_WorkGroupSize follow it. Text without a size stays
// as it is.
char *resize_text(struct arena *arena, enum language language, const char *text, const uint32_t size[3]);

// Replaces the size in SPIR-V: the LocalSize of the entry point, and a constant decorated as the size, which
// overrides it. Sizes stay if they are specialized, or given by the ids of constants. Changed words are in the arena.
bool resize_module(
    struct arena *arena, struct spirv *spirv, const char *entry, const uint32_t size[3], struct error *err);

#endif
