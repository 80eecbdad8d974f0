// SPDX-License-Identifier: Apache-2.0
// Compiles WGSL to SPIR-V with a user's program: the command of --wgsl-compiler, else of $VKASSAY_WGSL, else an
// installed compiler. WGSL has no preprocessor, and its overrides do not survive every compiler. So tunables and
// defines are put into the text: into declarations of the same name, or else in place of every such word.
#include "compiler_command.h"
#include "header.h"
#include "redeclare.h"
#include "wgsl_lines.h"

#include "../../base/clock.h"
#include "../../base/file.h"
#include "../../base/text.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLACEHOLDERS = 32 };

// ---- the command

static const char advice[] =
    "`npm install wgsl-wasm-transpiler-bundler` here or with -g (it needs node), or `cargo install naga-cli` installs "
    "one; or name a command that takes a WGSL and a SPIR-V file with --wgsl-compiler";

// Folders of npm's packages: of `scripts/install.sh wgsl`, of the current folder and of npm itself. The parts are
// joined; a first part with $ is a variable.
static const char package[] = "node_modules/wgsl-wasm-transpiler-bundler";
static const char *const package_places[][2] = {{"$VKASSAY_WGSL_HOME", ""}, {"$XDG_CACHE_HOME", "/vkassay/wgsl-*"},
    {"$HOME", "/.cache/vkassay/wgsl-*"}, {".", ""}, {"$NPM_CONFIG_PREFIX", "/lib"}, {"$HOME", "/.npm-global/lib"},
    {"/usr/local/lib", ""}, {"/usr/lib", ""}};

// Returns the package's folder at the place; NULL: it is not there.
static char *package_at(struct arena *arena, const char *const place[2]) {
    const char *folder = *place[0] == '$' ? getenv(place[0] + 1) : place[0];
    glob_t found;
    if (!folder || !*folder) return NULL;
    const char *pattern = arena_format(arena, "%s%s/%s/wgsl_wasm_transpiler_bg.wasm", folder, place[1], package);
    const bool any = glob(pattern, 0, NULL, &found) == 0;
    char *path = any ? file_folder(arena, found.gl_pathv[found.gl_pathc - 1]) : NULL;
    globfree(&found);
    return path;
}

// Makes the command of npm's package; out->path is NULL without it, node, or the program's script.
static void find_package(struct arena *arena, struct compiler_command *out) {
    struct error ignored;
    char *package_folder = NULL;
    const char *node = command_program(arena, "node"), *script = home_script(arena, "wgsl.mjs", &ignored);
    for (size_t i = 0; !package_folder && i < sizeof package_places / sizeof *package_places; i++)
        package_folder = package_at(arena, package_places[i]);
    *out = (struct compiler_command){0};
    if (!node || !package_folder || !script || !file_exists(script)) return;
    out->path = node;
    command_add(out, arena_copy(arena, "node"));
    command_add(out, arena_copy(arena, script));
    command_add(out, package_folder);
}

// Finds naga or tint on the PATH, naga where cargo puts it, or npm's package.
static bool find_installed(struct arena *arena, struct compiler_command *out, struct error *err) {
    const char *home = getenv("HOME");
    const char *const programs[] = {
        "naga", "tint", arena_format(arena, "%s/.cargo/bin/naga", home && *home ? home : "")};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (command_program(arena, programs[i])) return command_split(arena, programs[i], "WGSL", out, err);
    find_package(arena, out);
    return out->path || error_of_kind(err, ERROR_SKIP, "there is no WGSL compiler: %s", advice);
}

static bool find_command(struct arena *arena, const char *given, struct compiler_command *out, struct error *err) {
    static char format[] = "--format", spirv[] = "spirv", output[] = "-o", in[] = "%i", to[] = "%o";
    const char *line = given && *given ? given : getenv("VKASSAY_WGSL");
    if (!line || !*line) {
        if (!find_installed(arena, out, err)) return false;
    } else if (!command_split(arena, line, "WGSL", out, err)) {
        return false;
    }
    if (!out->path) return error_of_kind(err, ERROR_SKIP, "the WGSL compiler \"%s\" cannot be run: %s", line, advice);
    if (command_is(out, "tint")) {
        char *const words[] = {format, spirv, output, to, in};
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) command_add(out, words[i]);
    }
    return true;
}

// Gives overrides without a value 1. Returns the request with them.
static struct shader_request with_placeholders(
    struct arena *arena, const struct shader_request *r, const char *source) {
    struct define *all = arena_alloc(arena, r->define_count + MOST_PLACEHOLDERS, sizeof *all);
    bool *found = arena_alloc(arena, r->define_count + MOST_PLACEHOLDERS, sizeof *found);
    struct shader_request own = *r;
    const char *unset;
    if (r->define_count) memcpy(all, r->defines, r->define_count * sizeof *all);
    own.defines = all;
    while (own.define_count < r->define_count + MOST_PLACEHOLDERS &&
           (redeclare(arena, LANGUAGE_WGSL, source, all, own.define_count, found, &unset), unset))
        all[own.define_count++] = (struct define){.name = unset, .value = "1"};
    return own;
}

bool wgsl_compile(struct arena *arena, const struct shader_request *request, struct spirv *out, struct error *err) {
    int64_t start = clock_ns();
    struct compiler_command command;
    const struct shader_request *r = request;
    struct shader_request own;
    *out = (struct spirv){0};
    if (!find_command(arena, r->wgsl_compiler, &command, err)) return error_prefix(err, "%s: ", r->path);
    char *source = file_read(arena, r->path, NULL, err);
    source = source ? header_before(arena, r, source, err) : NULL;
    source = source ? wgsl_lines(arena, r, source, err) : NULL;
    if (!source) return false;
    if (r->placeholders) {
        own = with_placeholders(arena, r, source);
        r = &own;
    }
    bool *declared = arena_alloc(arena, r->define_count + 1, sizeof *declared);
    const char *unset, *text = redeclare(arena, LANGUAGE_WGSL, source, r->defines, r->define_count, declared, &unset);
    if (unset)
        return error_of_kind(err, ERROR_COMPILE,
            "%s: the override %s has no value: expected one in \"constants\", or a tunable of that name", r->path,
            unset);
    shader_say_redeclared(arena, r, source, declared, out);
    for (size_t i = 0; i < r->define_count; i++) declared[i] |= r->defines[i].declared;
    text = wgsl_substitute(arena, text, r->defines, r->define_count, declared);
    bool ok = compile_by_command(arena, r->path, ".wgsl", text, r->cache_folder, &command, out, err);
    out->ns = clock_ns() - start;
    return ok;
}
