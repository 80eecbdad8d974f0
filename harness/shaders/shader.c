// SPDX-License-Identifier: Apache-2.0
#include "compile.h"
#include "../base/file.h"
#include "../base/hash.h"
#include "redeclare.h"
#include "../spirv/spirv.h"

#include <string.h>

// ---- a file of SPIR-V

bool spirv_file_read(struct arena *arena, const char *path, struct spirv *out, struct error *err) {
    size_t bytes;
    char *content = file_read(arena, path, &bytes, err);
    if (!content) return false;
    size_t count = bytes / sizeof *out->words;
    uint32_t *words = arena_alloc(arena, count + 1, sizeof *words);
    memcpy(words, content, count * sizeof *words);
    if (bytes % sizeof *words || count < SPIRV_HEADER ||
        (words[0] != SpvMagicNumber && __builtin_bswap32(words[0]) != SpvMagicNumber))
        return error_of_kind(err, ERROR_COMPILE,
            "%s: this is no SPIR-V: expected words of 4 bytes, the first 0x%08x; found %zu bytes%s", path,
            SpvMagicNumber, bytes, bytes < 4 ? "" : " that begin otherwise or end early");
    if (words[0] != SpvMagicNumber)
        for (size_t i = 0; i < count; i++) words[i] = __builtin_bswap32(words[i]);
    *out = (struct spirv){.words = words, .count = count};
    out->source_hash = hash_bytes(HASH_START, words, count * sizeof *words);
    return true;
}

// ---- constants in the text

enum { MOST_DECLARED = 32 }; // one bit each

static size_t declared_count(const struct shader_request *r) {
    size_t count = 0;
    while (count < r->define_count && count < MOST_DECLARED && r->defines[count].declared) count++; // they come first
    return count;
}

// Marks the constants found. Returns whether these are all.
static bool mark_redeclared(const struct shader_request *r, const bool *found, struct spirv *out) {
    const size_t count = declared_count(r);
    bool all = true;
    for (size_t i = 0; i < count; i++) {
        if (found[i]) out->redeclared |= 1u << i;
        all = all && found[i];
    }
    return all;
}

void shader_say_redeclared(
    struct arena *arena, const struct shader_request *r, const char *source, const bool *found, struct spirv *out) {
    if (!mark_redeclared(r, found, out)) out->constants = redeclare_names(arena, shader_language(r->path), source);
}

char *shader_redeclare(struct arena *arena, const struct shader_request *r, char *source, struct spirv *out) {
    const size_t count = declared_count(r);
    bool found[MOST_DECLARED];
    const char *unset;
    if (!count) return source;
    char *text = redeclare(arena, shader_language(r->path), source, r->defines, count, found, &unset);
    shader_say_redeclared(arena, r, source, found, out);
    return text;
}

char *shader_redeclare_included(
    struct arena *arena, const struct shader_request *r, char *preprocessed, struct spirv *out) {
    bool found[MOST_DECLARED];
    const char *unset;
    if (!out->constants) return preprocessed; // all of them are in the source
    char *text = redeclare(arena, shader_language(r->path), preprocessed, r->defines, declared_count(r), found, &unset);
    mark_redeclared(r, found, out);
    return text;
}

static const struct {
    const char *ending;
    enum language language;
} endings[] = {{".hlsl", LANGUAGE_HLSL}, {".wgsl", LANGUAGE_WGSL}, {".spv", LANGUAGE_SPIRV}};

enum language shader_language(const char *path) {
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t tail = strlen(endings[i].ending);
        if (length > tail && strcmp(path + length - tail, endings[i].ending) == 0) return endings[i].language;
    }
    return LANGUAGE_GLSL;
}

bool shader_make(struct arena *arena, const struct shader_request *request, struct spirv *out, struct error *err) {
    switch (shader_language(request->path)) {
    case LANGUAGE_WGSL:
        return wgsl_compile(arena, request, out, err);
    case LANGUAGE_SPIRV:
        return spirv_file_read(arena, request->path, out, err);
    case LANGUAGE_HLSL:
        if (hlsl_command()) return hlsl_compile(arena, request, out, err);
        break;
    case LANGUAGE_GLSL:
        break;
    }
    return compile_source(arena, request, out, err);
}
