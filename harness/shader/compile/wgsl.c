// SPDX-License-Identifier: Apache-2.0
// Compiles WGSL to SPIR-V with a user's program: the command of --wgsl-compiler, else of $VKASSAY_WGSL, else naga or
// tint on the PATH. WGSL has no preprocessor, and its overrides do not survive every compiler. So tunables and
// defines are put into the text: into declarations of the same name, or else in place of every such word.
#include "compiler_command.h"
#include "redeclare.h"

#include "../../base/clock.h"
#include "../../base/file.h"
#include "../../base/text.h"

#include <stdlib.h>
#include <string.h>

// ---- the text

// Replaces every whole word that is a macro's name by its value, except names declared by the text.
static char *substitute(
    struct arena *arena, const char *text, const struct define *defines, size_t define_count, const bool *declared) {
    struct text out = {0};
    while (*text) {
        size_t length = 1;
        const char *put = text;
        if (in_word(*text))
            while (in_word(text[length])) length++;
        size_t put_length = length;
        for (size_t i = 0; i < define_count && in_word(*text); i++)
            if (!declared[i] && strlen(defines[i].name) == length && memcmp(defines[i].name, text, length) == 0) {
                put = defines[i].value;
                put_length = strlen(put);
            }
        text_append_n(&out, put, put_length);
        text += length;
    }
    return arena_take(arena, &out);
}

// ---- the command

static const char advice[] =
    "install one by `scripts/install.sh wgsl` or `cargo install naga-cli`, or name a command with --wgsl-compiler or "
    "VKASSAY_WGSL; it receives the names of the WGSL and the SPIR-V file, in place of %i and %o if present";

static bool find_command(struct arena *arena, const char *given, struct compiler_command *out, struct error *err) {
    static char format[] = "--format", spirv[] = "spirv", output[] = "-o", in[] = "%i", to[] = "%o";
    const char *line = given && *given ? given : getenv("VKASSAY_WGSL");
    bool named = line && *line;
    if (!named) line = command_program(arena, "naga") ? "naga" : "tint";
    if (!command_split(arena, line, "WGSL", out, err)) return false;
    if (out->path && command_is(out, "tint")) {
        char *const words[] = {format, spirv, output, to, in};
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) command_add(out, words[i]);
    }
    if (out->path) return true;
    if (named)
        error_of_kind(err, ERROR_SKIP, "the WGSL compiler \"%s\" cannot be run: %s", line, advice);
    else
        error_of_kind(err, ERROR_SKIP, "there is no WGSL compiler, naga or tint, on the PATH: %s", advice);
    return false;
}

bool wgsl_compile(struct arena *arena, const struct shader_request *r, struct spirv *out, struct error *err) {
    int64_t start = clock_ns();
    struct compiler_command command;
    *out = (struct spirv){0};
    if (!find_command(arena, r->wgsl_compiler, &command, err)) return error_prefix(err, "%s: ", r->path);
    char *source = file_read(arena, r->path, NULL, err);
    if (!source) return false;
    bool *declared = arena_alloc(arena, r->define_count + 1, sizeof *declared);
    const char *unset, *text = redeclare(arena, LANGUAGE_WGSL, source, r->defines, r->define_count, declared, &unset);
    if (unset)
        return error_of_kind(err, ERROR_COMPILE,
            "%s: the override %s has no value: expected one in \"constants\", or a tunable of that name", r->path,
            unset);
    shader_say_redeclared(arena, r, source, declared, out);
    for (size_t i = 0; i < r->define_count; i++) declared[i] |= r->defines[i].declared;
    text = substitute(arena, text, r->defines, r->define_count, declared);
    bool ok = compile_by_command(arena, r->path, ".wgsl", text, r->cache_folder, &command, out, err);
    out->ns = clock_ns() - start;
    return ok;
}
