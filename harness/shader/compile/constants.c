// SPDX-License-Identifier: Apache-2.0
// The constants that a shader's text declares, and its language.
#include "compile.h"

#include "redeclare.h"

#include <string.h>

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
