// SPDX-License-Identifier: Apache-2.0
// SPIRV-Tools: validates modules and prints their instructions.
#ifndef VKASSAY_SPIRV_SPIRV_TOOLS_H
#define VKASSAY_SPIRV_SPIRV_TOOLS_H

#include "../../base/arena.h"

#include <stdbool.h>
#include <stdint.h>

// Returns whether Vulkan accepts the module. If not, *why (in the arena) is the validator's message. Each call uses a
// fresh context, so several threads may call it.
bool spirv_tools_valid(struct arena *arena, const uint32_t *words, size_t count, const char **why);

// Returns whether the tools know all instructions and capabilities of the module. A distribution's tools may be older
// than a shader. They cannot validate an unknown feature, or a change of such a module; *what (in the arena) is their
// message.
bool spirv_tools_know(struct arena *arena, const uint32_t *words, size_t count, const char **what);

// Returns the module as text, in the arena; "" if it cannot be read.
const char *spirv_tools_text(struct arena *arena, const uint32_t *words, size_t count);

// Returns the `back`-th line from the end of such a text (1: the last), without surrounding blanks; in the arena.
// Lines are counted from the end: each instruction of code has one line, while strings before them may have several.
const char *spirv_tools_line(struct arena *arena, const char *text, uint32_t back);

#endif
