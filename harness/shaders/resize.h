// SPDX-License-Identifier: Apache-2.0
// Another workgroup size in place of the one that a shader is written with.
#ifndef VKASSAY_DEVICE_RESIZE_H
#define VKASSAY_DEVICE_RESIZE_H

#include "shader.h"

// In the text of GLSL, layout(local_size_x = 64, ...), and of HLSL, [numthreads(64, 1, 1)], whose compilers put the
// size into the code: what follows gl_WorkGroupSize follows. Text without a size stays as it is.
char *resize_text(struct arena *arena, enum language language, const char *text, const uint32_t size[3]);

// In SPIR-V: the LocalSize of that entry point, and a constant decorated as the size, which counts before it. Sizes
// that are specialized, or follow constants by id, stay. The words are in the arena where any changes.
bool resize_module(
    struct arena *arena, struct spirv *spirv, const char *entry, const uint32_t size[3], struct error *err);

#endif
