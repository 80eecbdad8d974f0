// SPDX-License-Identifier: Apache-2.0
// A user's program that compiles a file to SPIR-V. Private to this folder.
#ifndef VKASSAY_SHADERS_COMPILER_COMMAND_H
#define VKASSAY_SHADERS_COMPILER_COMMAND_H

#include "compile.h"

enum { COMMAND_WORDS = 32, COMMAND_MORE = 16 }; // from the user; added by callers
struct compiler_command {
    char *words[COMMAND_WORDS + COMMAND_MORE + 1]; // program, arguments, NULL
    int count;
    const char *path; // of the program; NULL: there is none
    int seconds;      // until it is ended, with all that it started; 0: COMMAND_SECONDS
};
enum { COMMAND_SECONDS = 120 };

// Returns the path of a program: its name if it has a slash, else the file found on the PATH; NULL: there is none.
const char *command_program(struct arena *arena, const char *name);
// Splits a line into words, in the arena; `what` names it in messages, as in "WGSL". STATUS_BAD_INPUT: too many words.
bool command_split(
    struct arena *arena, const char *line, const char *what, struct compiler_command *out, struct error *err);
// Returns whether the command is `program` without any arguments.
bool command_is(const struct compiler_command *command, const char *program);
void command_add(struct compiler_command *command, char *word);

// Runs the command on the shader's own file and returns the text that it writes; NULL with ERROR_COMPILE. A hostile
// program gives an error: no text, too much of it, or bytes that are none.
enum { COMMAND_TEXT_BYTES = 32 * 1024 * 1024 };
char *text_by_command(struct arena *arena, const char *path, struct compiler_command *command, struct error *err);

// Runs the command on these bytes, in a file with the ending (not ".spv"), and reads the SPIR-V that it writes. Its
// words %i and %o become the names of input and output; without them the names are appended. ERROR_COMPILE has the
// program's output; `path` is the shader's path for messages.
bool module_by_command(struct arena *arena, const char *path, const char *ending, const void *bytes, size_t count,
    struct compiler_command *command, struct spirv *out, struct error *err);

// Does the same with a text and a cache. The cache (`cache_folder`, NULL: none) answers for the same text, command and
// compiler file. `redeclared` and `constants` of *out stay.
bool compile_by_command(struct arena *arena, const char *path, const char *ending, const char *text,
    const char *cache_folder, struct compiler_command *command, struct spirv *out, struct error *err);

#endif
