// SPDX-License-Identifier: Apache-2.0
// Constants that a shader's text declares, given other values: so that they can be chosen where the language has no
// specialization constants, or its compiler drops them, and the file stays as it is.
#ifndef VKASSAY_DEVICE_REDECLARE_H
#define VKASSAY_DEVICE_REDECLARE_H

#include "shader.h"

// The text with every declaration of one of `defines` by its name given that value, and found[i] set for those:
//   WGSL        override NAME: u32 = 16u;  const NAME = 16;  @id(7) override OTHER: u32;  where 7 is the define's id
//   GLSL, HLSL  const uint NAME = 16;  static const uint NAME = 16;  #define NAME 16
//               layout(constant_id = 3) const uint NAME = 16;
// In WGSL every override becomes a const, also one that stays at its own value; *unset is the name of one that has
// none, or NULL.
char *redeclare(struct arena *arena, enum language language, const char *text, const struct define *defines,
    size_t count, bool *found, const char **unset);

// Names of constants that could be given a value so, "TILE, WIDTH"; "" when there are none.
const char *redeclare_names(struct arena *arena, enum language language, const char *text);

#endif
