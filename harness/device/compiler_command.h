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

// What the SPIR-V follows from: the text, the command, and the compiler's file.
uint64_t command_key(uint64_t text_hash, const struct compiler_command *command);
// Runs it on the text, in a file of that ending; %i and %o among its words become the files' names, which else are the
// last two. ERROR_COMPILE with what it said; `path` is the shader's, for messages.
bool command_run(struct arena *arena, const char *path, const char *ending, const char *text,
    struct compiler_command *command, struct spirv *out, struct error *err);

#endif
