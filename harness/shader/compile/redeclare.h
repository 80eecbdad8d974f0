// SPDX-License-Identifier: Apache-2.0
// Gives new values to constants declared in a shader's text, and leaves the file as it is. This makes them selectable
// if the language has no specialization constants, or its compiler drops them.
#ifndef VKASSAY_SHADERS_REDECLARE_H
#define VKASSAY_SHADERS_REDECLARE_H

#include "shader.h"

// Returns the text with the value of each of `defines` in every declaration of its name. Sets found[i] for each one
// declared. These declarations are known:
//   WGSL        override NAME: u32 = 16u;  const NAME = 16;  @id(7) override OTHER: u32; (7 is the define's id).
//   GLSL, HLSL  const uint NAME = 16;  static const uint NAME = 16;  #define NAME 16
//               layout(constant_id = 3) const uint NAME = 16;
// In WGSL every override becomes a const, even if it keeps its own value. An override without any value is named in
// *unset; NULL: there is none.
char *redeclare(struct arena *arena, enum language language, const char *text, const struct define *defines,
    size_t count, bool *found, const char **unset);

// Returns the names of constants that could be given values, as "TILE, WIDTH"; "": there are none.
const char *redeclare_names(struct arena *arena, enum language language, const char *text);

#endif
