// SPDX-License-Identifier: Apache-2.0
#include "shader.h"

#include "../../base/text.h"
#include "compile.h"
#include "../spirv/module.h"

#include <string.h>

// ---- text

// Returns the end of a value: a comma, or the closing bracket of the list around it.
static const char *value_end(const char *at) {
    for (int depth = 0; *at && !(depth == 0 && strchr(",)", *at)); at++) depth += (*at == '(') - (*at == ')');
    return at;
}

// Returns the place after "local_size_y =", and sets its axis; NULL: no such text begins here.
static const char *size_layout(const char *at, int *axis) {
    static const char word[] = "local_size_";
    if (strncmp(at, word, sizeof word - 1) != 0) return NULL;
    at += sizeof word - 1;
    *axis = *at - 'x';
    if (*axis < 0 || *axis > 2 || in_word(at[1])) return NULL;
    at += 1 + strspn(at + 1, " \t\r\n");
    return *at == '=' ? at + 1 + strspn(at + 1, " \t\r\n") : NULL;
}

static const char *put_threads(struct text *out, const char *at, const uint32_t size[3]) {
    static const char word[] = "numthreads";
    const char *open = at + sizeof word - 1 + strspn(at + sizeof word - 1, " \t\r\n"), *end = open;
    if (*open != '(') return NULL;
    for (int axis = 0; axis < 3; axis++) end = value_end(*end ? end + 1 : end);
    if (*end != ')') return NULL;
    text_format(out, "numthreads(%u, %u, %u", size[0], size[1], size[2]);
    return end;
}

char *resize_text(struct arena *arena, enum language language, const char *text, const uint32_t size[3]) {
    struct text out = {0};
    for (const char *at = text, *next; *at; at = next) {
        const bool begins = at == text || !in_word(at[-1]);
        const char *value;
        int axis = 0;
        next = NULL;
        if (begins && language == LANGUAGE_HLSL && strncmp(at, "numthreads", 10) == 0)
            next = put_threads(&out, at, size);
        if (begins && language == LANGUAGE_GLSL && (value = size_layout(at, &axis))) {
            text_append_n(&out, at, (size_t)(value - at));
            text_format(&out, "%u", size[axis]);
            next = value_end(value);
        }
        if (next) continue;
        text_append_n(&out, at, 1);
        next = at + 1;
    }
    return arena_take(arena, &out);
}

// ---- SPIR-V

// Emits three new constants, and the composite made of them.
static void put_composite(
    const struct module *m, const uint32_t *composite, const uint32_t size[3], uint32_t *out, size_t *count) {
    const uint32_t *part = module_defined(m, composite[3], SpvOpConstant, 4);
    for (uint32_t axis = 0; axis < 3; axis++) {
        const uint32_t words[4] = {4u << 16 | SpvOpConstant, part[1], m->bound + axis, size[axis]};
        memcpy(&out[*count], words, sizeof words);
        *count += 4;
    }
    const uint32_t words[6] = {composite[0], composite[1], composite[2], m->bound, m->bound + 1, m->bound + 2};
    memcpy(&out[*count], words, sizeof words);
    *count += 6;
    out[SPIRV_BOUND] = m->bound + 3;
}

static void resize(
    const struct module *m, const uint32_t *entry, const uint32_t size[3], uint32_t *out, size_t *count) {
    const uint32_t *composite = NULL; // of the size, if it is made of literals
    uint32_t id = 1;
    while (id < m->bound && !m->ids[id].workgroup_size) id++;
    if (id < m->bound) composite = module_defined(m, id, SpvOpConstantComposite, 6);
    if (composite && !module_defined(m, composite[3], SpvOpConstant, 4)) composite = NULL;
    memcpy(out, m->words, SPIRV_HEADER * sizeof *out);
    *count = SPIRV_HEADER;
    for (size_t at = 0; spirv_next(m->words, m->count, &at);) {
        const uint32_t *i = &m->words[at];
        if (i == composite) {
            put_composite(m, composite, size, out, count);
            continue;
        }
        memcpy(&out[*count], i, spirv_length(i) * sizeof *i);
        if (spirv_op(i) == SpvOpExecutionMode && spirv_length(i) >= 6 && i[1] == entry[2] &&
            i[2] == SpvExecutionModeLocalSize)
            memcpy(&out[*count + 3], size, 3 * sizeof *size);
        *count += spirv_length(i);
    }
}

bool resize_module(
    struct arena *arena, struct spirv *spirv, const char *entry, const uint32_t size[3], struct error *err) {
    struct module m;
    bool ok = module_open(&m, spirv->words, spirv->count, err);
    const uint32_t *point = ok ? module_entry(&m, entry) : NULL;
    if (point && m.bound + 3 < SPIRV_MOST_IDS) {
        uint32_t *out = arena_alloc(arena, spirv->count + 12, sizeof *out);
        size_t count;
        resize(&m, point, size, out, &count);
        spirv->words = out;
        spirv->count = count;
    }
    module_close(&m);
    return ok;
}
