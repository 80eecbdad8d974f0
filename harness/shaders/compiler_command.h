// SPDX-License-Identifier: Apache-2.0
// A program of the user's that makes SPIR-V of a file. Private to this folder.
#ifndef VKASSAY_DEVICE_COMPILER_COMMAND_H
#define VKASSAY_DEVICE_COMPILER_COMMAND_H

#include "compile.h"

enum { COMMAND_WORDS = 32, COMMAND_MORE = 16 }; // that a user may give, that are added
struct compiler_command {
    char *words[COMMAND_WORDS + COMMAND_MORE + 1]; // program, arguments, NULL
    int count;
    const char *path; // of the program; NULL: there is none
};

// A program as a path: itself where it has a slash, else from the PATH; NULL when there is none.
const char *command_program(struct arena *arena, const char *name);
// A line's words, in the arena; `what` is the language. STATUS_BAD_INPUT: too many.
bool command_split(
    struct arena *arena, const char *line, const char *what, struct compiler_command *out, struct error *err);
// Whether it is that program, and nothing more is said.
bool command_is(const struct compiler_command *command, const char *program);
void command_add(struct compiler_command *command, char *word);

// Runs it on the text, in a file of that ending, unless the cache (`cache_folder`, NULL: none) has what text, command
// and the compiler's file give; %i and %o among its words become the files' names, which else are the last two. Of *out
// stay `redeclared` and `constants`. ERROR_COMPILE with what it said; `path` is the shader's, for messages.
bool command_compile(struct arena *arena, const char *path, const char *ending, const char *text,
    const char *cache_folder, struct compiler_command *command, struct spirv *out, struct error *err);

#endif
