// SPDX-License-Identifier: Apache-2.0
#include "committed.h"

#include "../../base/file.h"
#include "../../base/text.h"
#include "compiler_command.h"
#include "../spirv/spirv.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- extensions

static const char *const newer[] = {"GL_KHR_cooperative_matrix", "GL_NV_cooperative_matrix2", "GL_EXT_bfloat16",
    "GL_EXT_float_e4m3", "GL_EXT_float_e5m2", "GL_EXT_integer_dot_product"};
enum { NEWER = sizeof newer / sizeof *newer };

// Returns the next of those extensions enabled by the text, from the line at *text on. *text becomes the line after
// it. NEWER: there is none. A directive "#extension NAME : BEHAVIOUR" starts its line.
static size_t next_newer(const char **text, bool *required) {
    char name[64], behaviour[16];
    for (const char *line = *text; line; line = *text) {
        const char *end = strchr(line, '\n');
        size_t i = 0;
        *text = end ? end + 1 : NULL;
        line += strspn(line, " \t");
        if (sscanf(line, "# extension %63[A-Za-z0-9_] : %15[a-z]", name, behaviour) != 2) continue;
        if (strcmp(behaviour, "disable") == 0) continue;
        while (i < NEWER && strcmp(name, newer[i]) != 0) i++;
        *required = strcmp(behaviour, "require") == 0;
        if (i < NEWER) return i;
    }
    return NEWER;
}

bool committed_kind(const char *text) {
    bool required;
    return next_newer(&text, &required) < NEWER;
}

bool committed_for_13(const char *text) {
    bool required;
    for (size_t which; (which = next_newer(&text, &required)) < NEWER;)
        if (strcmp(newer[which], "GL_NV_cooperative_matrix2") == 0) return true;
    return false;
}

// Asks the compiler, once.
static bool known[NEWER];
static void ask(void) {
    for (size_t i = 0; i < NEWER; i++) known[i] = compile_knows(newer[i]);
}

const char *committed_unknown(const char *text, bool *required) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const char *found = NULL;
    bool needed;
    pthread_once(&once, ask);
    *required = false;
    for (size_t which; !*required && (which = next_newer(&text, &needed)) < NEWER;) {
        if (known[which]) continue;
        if (!found || needed) found = newer[which];
        *required = needed;
    }
    return found;
}

// ---- files

const char *shader_committed_path(struct arena *arena, const char *shader, uint64_t hash) {
    const char *slash = strrchr(shader, '/'), *name = slash ? slash + 1 : shader, *dot = strrchr(name, '.');
    const int length = dot ? (int)(dot - name) : (int)strlen(name);
    return arena_format(
        arena, "%s/spirv/%.*s-%016llx.spv", file_folder(arena, shader), length, name, (unsigned long long)hash);
}

// ---- the note in a module about its source

#define NOTE "vkassay: of source "

static uint64_t noted_hash(const uint32_t *words, size_t count) {
    unsigned long long hash = 0;
    for (size_t at = 0; spirv_next(words, count, &at);) {
        const size_t bytes = (spirv_length(&words[at]) - 2) * sizeof *words;
        const char *text = (const char *)&words[at + 2];
        if (spirv_op(&words[at]) != SpvOpString || spirv_length(&words[at]) < 3 || !memchr(text, '\0', bytes)) continue;
        if (strncmp(text, NOTE, strlen(NOTE)) == 0) sscanf(text + strlen(NOTE), "%16llx", &hash);
    }
    return hash;
}

// Returns the place of strings: after the modes of entry points, and before names and decorations.
static size_t place_of_strings(const uint32_t *words, size_t count) {
    size_t at = 0;
    while (spirv_next(words, count, &at)) {
        const uint32_t op = spirv_op(&words[at]);
        if (op != SpvOpCapability && op != SpvOpExtension && op != SpvOpExtInstImport && op != SpvOpMemoryModel &&
            op != SpvOpEntryPoint && op != SpvOpExecutionMode && op != SpvOpExecutionModeId)
            return at;
    }
    return count;
}

static void tell(struct arena *arena, const char *note, struct spirv *spirv) {
    const size_t place = place_of_strings(spirv->words, spirv->count), bytes = strlen(note) + 1;
    const size_t length = 2 + (bytes + 3) / 4;
    uint32_t *words = arena_alloc(arena, spirv->count + length, sizeof *words);
    memcpy(words, spirv->words, place * sizeof *words);
    memcpy(words + place + length, spirv->words + place, (spirv->count - place) * sizeof *words);
    words[place] = (uint32_t)length << SpvWordCountShift | SpvOpString;
    words[place + 1] = words[SPIRV_BOUND]++;
    memcpy(words + place + 2, note, bytes);
    spirv->words = words;
    spirv->count += length;
}

bool committed_read(struct arena *arena, const char *shader, struct spirv *out, struct error *err) {
    const uint64_t hash = out->source_hash;
    const char *path = shader_committed_path(arena, shader, hash);
    struct spirv read;
    if (!file_exists(path))
        return error_of_kind(err, ERROR_SKIP,
            "%s: there is no SPIR-V of it for this compiler: expected %s, which `vkassay spirv` makes with a newer "
            "glslc",
            shader, path);
    if (!spirv_file_read(arena, path, &read, err)) return false;
    if (noted_hash(read.words, read.count) != hash)
        return error_of_kind(err, ERROR_COMPILE, "%s: expected the note \"%s%016llx\", found another or none", path,
            NOTE, (unsigned long long)hash);
    out->words = read.words;
    out->count = read.count;
    return true;
}

// ---- making them

static const char *glslc_line(void) {
    const char *line = getenv("VKASSAY_GLSLC");
    return line && *line ? line : "glslc";
}

// Returns "shaderc 2026.4-1, glslang 16.4.0-1" from the output of `glslc --version`.
static const char *versions(struct arena *arena) {
    struct text out = {0};
    char line[200];
    FILE *from = popen(arena_format(arena, "%s --version 2>/dev/null", glslc_line()), "r");
    while (from && fgets(line, sizeof line, from)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, "shaderc ", 8) == 0 || strncmp(line, "glslang ", 8) == 0)
            text_format(&out, "%s%s", out.length ? ", " : "", line);
    }
    if (from) pclose(from);
    return out.length ? arena_take(arena, &out) : "an unnamed compiler";
}

// Compiles as compile.c does with the library: for the same target, without the optimizer.
static bool make(struct arena *arena, const char *shader, const char *text, struct spirv *out, struct error *err) {
    const bool for_13 = committed_for_13(text);
    const char *const words[] = {"-fshader-stage=compute", for_13 ? "--target-env=vulkan1.3" : "--target-env=vulkan1.1",
        for_13 ? "--target-spv=spv1.6" : "--target-spv=spv1.3", "-O0", "-w", "-o", "%o", "%i"};
    struct compiler_command command;
    struct spirv made = *out;
    if (!command_split(arena, glslc_line(), "GLSL", &command, err)) return false;
    if (!command.path)
        return error_set(err, STATUS_BAD_INPUT,
            "%s: \"%s\" cannot be run: expected a newer glslc in VKASSAY_GLSLC, as \"/opt/shaderc/bin/glslc\"", shader,
            glslc_line());
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) command_add(&command, arena_copy(arena, words[i]));
    bool ok = compile_by_command(arena, shader, ".comp", text, NULL, &command, &made, err);
    out->words = made.words;
    out->count = made.count;
    return ok;
}

bool committed_write(struct arena *arena, const char *shader, const char *text, struct spirv *out, struct error *err) {
    struct error ignored;
    const char *path = shader_committed_path(arena, shader, out->source_hash);
    if (committed_read(arena, shader, out, &ignored)) return true;
    if (!make(arena, shader, text, out, err)) return false;
    tell(arena, arena_format(arena, NOTE "%016llx by %s", (unsigned long long)out->source_hash, versions(arena)), out);
    return file_make_folder(file_folder(arena, path), err) &&
           file_write(path, out->words, out->count * sizeof *out->words, err);
}
