// SPDX-License-Identifier: Apache-2.0
// Rewrites a SPIR-V module with a user's program, such as an optimizer.
#ifndef VKASSAY_SHADERS_REWRITE_H
#define VKASSAY_SHADERS_REWRITE_H

#include "../spirv/binary.h"

// Returns whether a command line can be run. STATUS_USAGE: it is blank or too long, or its program is not found.
bool rewrite_is_usable(const char *line, struct error *err);

// Rewrites `in` by the command; *out is in the arena. Words %i and %o of the command become the names of input and
// output; without them "%i -o %o" is appended. ERROR_COMPILE has the program's own words, or the validator's on its
// output. A module that SPIRV-Tools refuse before the rewriting is not validated after it. `path` is the shader's path
// for messages.
bool rewrite_module(struct arena *arena, const char *line, const char *path, const struct spirv *in, struct spirv *out,
    struct error *err);

#endif
