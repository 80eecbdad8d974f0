// SPDX-License-Identifier: Apache-2.0
// Text that is put before a shader: of a build, and names for #line. Private to this folder.
#ifndef VKASSAY_SHADERS_HEADER_H
#define VKASSAY_SHADERS_HEADER_H

#include "shader.h"

// Returns the source with the text of request->header before it, behind the source's own #version. Messages keep the
// source's lines, except in WGSL. Returns the source itself without a header; NULL with err if it cannot be read.
char *header_before(struct arena *arena, const struct shader_request *request, char *source, struct error *err);

// Returns the path as it may stand between the quotes of #line, in the arena: '?' replaces a quote, a backslash and a
// control character.
const char *line_name(struct arena *arena, const char *path);

#endif
