// SPDX-License-Identifier: Apache-2.0
// Lines for a preprocessor in WGSL, which has none of its own. Private to this folder.
#ifndef VKASSAY_SHADERS_WGSL_LINES_H
#define VKASSAY_SHADERS_WGSL_LINES_H

#include "shader.h"

// Returns the text without its lines that begin with #, and without what they exclude. It knows #ifdef, #ifndef, #if
// and #elif with defined, numbers, macros, comparisons, ! && and ||, #else, #endif, #define and #undef of a name with
// a value, and #include "FILE". The macros of the request count too. A removed line leaves an empty one.
// ERROR_COMPILE names the line of another directive.
char *wgsl_lines(struct arena *arena, const struct shader_request *request, const char *text, struct error *err);

// Replaces every whole word that is a macro's name by its value, except names declared by the text (NULL: none is).
char *wgsl_substitute(
    struct arena *arena, const char *text, const struct define *defines, size_t define_count, const bool *declared);

#endif
