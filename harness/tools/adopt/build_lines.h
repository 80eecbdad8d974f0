// SPDX-License-Identifier: Apache-2.0
// The lines of a build: one variant of a shader a line, with its macros and include folders (`init --defines`).
//
//     NAME FILE [-DX | -DX=VALUE | -I DIR]...
//     NAME FILE -include HEADER -DTILE=2|4|8
//     glslc -fshader-stage=compute FILE -DX=VALUE -o OUT/NAME.spv
//
// The text of a HEADER stands before the file's. A macro of several whole numbers is a tunable; the first is its
// default. Words are split and quoted as in a shell. A line with a compiler as its first word takes its name from its
// output. Other options are ignored. Paths are relative to the last line "cd FOLDER", at first to the folder of the
// lines.
#ifndef VKASSAY_MANIFEST_BUILD_LINES_H
#define VKASSAY_MANIFEST_BUILD_LINES_H

#include "../../base/arena.h"
#include "../../base/error.h"
#include "../../shader/compile/shader.h"

struct build_line {
    const char *name;   // of the variant
    const char *path;   // of the shader
    const char *header; // a file whose text stands before the shader's; NULL: none
    const struct define *defines;
    const char *const *choices; // by define: the numbers "2|4|8" of a tunable; NULL: it has one value
    size_t define_count;
    const char *const *includes; // folders
    size_t include_count;
};

// Reads the lines into the arena, without empty lines and comments (#). STATUS_BAD_INPUT names the file, the line and
// its fault: an open quote, no shader file, or too many words. A line that occurs again is taken once.
bool build_lines_read(struct arena *arena, const char *path, struct build_line **out, size_t *count, struct error *err);

#endif
