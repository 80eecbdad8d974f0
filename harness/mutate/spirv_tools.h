// SPDX-License-Identifier: Apache-2.0
// What SPIRV-Tools says of a module: whether it is a legal one, and how its instructions read.
#ifndef VKASSAY_MUTATE_SPIRV_TOOLS_H
#define VKASSAY_MUTATE_SPIRV_TOOLS_H

#include "../base/arena.h"

#include <stdbool.h>
#include <stdint.h>

// Whether Vulkan takes the module; if not, *why (in the arena) is what the validator says. Fresh context each time: may
// be called from several threads.
bool spirv_tools_valid(struct arena *arena, const uint32_t *words, size_t count, const char **why);

// Whether they know all of its instructions and capabilities: those of a distribution may be older than a shader. What
// they do not know (*what, in the arena, in their words) they cannot validate, nor a change of it.
bool spirv_tools_know(struct arena *arena, const uint32_t *words, size_t count, const char **what);

// The module as text, in the arena; "" where it cannot be read.
const char *spirv_tools_text(struct arena *arena, const uint32_t *words, size_t count);

// The line of such a text that is the `back`-th from its end, 1 the last, without the blanks around it; in the arena.
// Instructions of code have a line each, so they are counted from the end: strings before them may have several.
const char *spirv_tools_line(struct arena *arena, const char *text, uint32_t back);

#endif
