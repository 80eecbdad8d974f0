// SPDX-License-Identifier: Apache-2.0
#include "compile.h"

#include "../spirv/spirv_tools.h"
#include "compiler_command.h"

#include <string.h>

static bool find(struct arena *arena, const char *line, struct compiler_command *out, struct error *err) {
    static char in[] = "%i", option[] = "-o", to[] = "%o";
    if (!command_split(arena, line, "rewriting", out, err)) return false;
    if (!out->path)
        return error_set(err, STATUS_BAD_INPUT, "the rewriting command \"%s\" cannot be run: expected a program%s",
            line, out->count ? ", found none of this name" : "");
    for (int i = 1; i < out->count; i++)
        if (strcmp(out->words[i], in) == 0 || strcmp(out->words[i], to) == 0) return true;
    command_add(out, in);
    command_add(out, option);
    command_add(out, to);
    return true;
}

bool rewrite_is_usable(const char *line, struct error *err) {
    struct arena arena = {0};
    struct compiler_command command;
    const bool usable = find(&arena, line, &command, err);
    arena_free(&arena);
    if (!usable) err->status = STATUS_USAGE;
    return usable;
}

bool rewrite_module(struct arena *arena, const char *line, const char *path, const struct spirv *in, struct spirv *out,
    struct error *err) {
    struct compiler_command command;
    struct spirv made;
    const char *why;
    if (!find(arena, line, &command, err) ||
        !module_by_command(arena, path, ".in.spv", in->words, in->count * sizeof *in->words, &command, &made, err))
        return false;
    *out = *in;
    out->words = made.words;
    out->count = made.count;
    if (!spirv_tools_valid(arena, in->words, in->count, &why) || spirv_tools_valid(arena, out->words, out->count, &why))
        return true;
    return error_of_kind(err, ERROR_COMPILE, "%s: %s left a module that is not valid: %s", path, command.words[0], why);
}
