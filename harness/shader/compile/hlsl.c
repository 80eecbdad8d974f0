// SPDX-License-Identifier: Apache-2.0
// Compiles HLSL to SPIR-V with a user's program, the command in $VKASSAY_HLSL: DXC or another. Macros are put before
// the text.
#include "compiler_command.h"

#include "../../base/clock.h"
#include "../../base/file.h"
#include "../../base/text.h"
#include "header.h"

#include <stdlib.h>
#include <string.h>

const char *hlsl_command(void) {
    const char *line = getenv("VKASSAY_HLSL");
    return line && *line ? line : NULL;
}

// Gives DXC its arguments if the command has none; %e is the entry point.
static bool find_command(
    struct arena *arena, const struct shader_request *r, struct compiler_command *out, struct error *err) {
    if (!command_split(arena, hlsl_command(), "HLSL", out, err)) return false;
    if (!out->path)
        return error_of_kind(err, ERROR_SKIP,
            "the HLSL compiler \"%s\" of VKASSAY_HLSL cannot be run: expected a program, as in \"dxc\" or "
            "\"/opt/dxc/bin/dxc "
            "-spirv -T cs_6_2 -E %%e -Fo %%o %%i\"",
            hlsl_command());
    if (command_is(out, "dxc")) {
        const char *const words[] = {"-spirv", "-T", "cs_6_2", "-enable-16bit-types", "-fspv-target-env=vulkan1.1",
            "-E", "%e", "-I", file_folder(arena, r->path), "-Fo", "%o", "%i"};
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) command_add(out, arena_copy(arena, words[i]));
    }
    for (int i = 1; i < out->count; i++)
        if (strcmp(out->words[i], "%e") == 0) out->words[i] = arena_copy(arena, r->entry);
    return true;
}

static const char *whole_text(struct arena *arena, const struct shader_request *r, char *source, struct spirv *out) {
    struct text text = {0};
    const char *rest = shader_redeclare(arena, r, source, out);
    if (r->local_size) rest = resize_text(arena, LANGUAGE_HLSL, rest, r->local_size);
    for (size_t i = 0; i < r->define_count; i++)
        if (!r->defines[i].declared) text_format(&text, "#define %s %s\n", r->defines[i].name, r->defines[i].value);
    text_format(&text, "#line 1 \"%s\"\n", line_name(arena, r->path));
    text_append(&text, rest);
    return arena_take(arena, &text);
}

bool hlsl_compile(struct arena *arena, const struct shader_request *r, struct spirv *out, struct error *err) {
    int64_t start = clock_ns();
    struct compiler_command command;
    *out = (struct spirv){0};
    if (!find_command(arena, r, &command, err)) return error_prefix(err, "%s: ", r->path);
    char *source = file_read(arena, r->path, NULL, err);
    source = source ? header_before(arena, r, source, err) : NULL;
    if (!source) return false;
    const char *text = whole_text(arena, r, source, out);
    const char *cache = strstr(text, "#include") ? NULL : r->cache_folder; // included files may change
    bool ok = compile_by_command(arena, r->path, ".hlsl", text, cache, &command, out, err);
    out->ns = clock_ns() - start;
    return ok;
}
