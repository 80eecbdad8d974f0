// SPDX-License-Identifier: Apache-2.0
// Types of a module as they lie in memory. Types that nest without end are given up on.
#include "module.h"

#include <string.h>

enum { MOST_VISITS = 4096, MOST_DEPTH = 16, MOST_MEMBERS = 256, MOST_ELEMENTS = 256 };

struct walk {
    const struct module *module;
    struct shader_block *block;
    int visits;
};

static uint64_t place(struct walk *w, uint32_t type, uint64_t offset, int depth);

static bool member_number(
    const struct module *m, uint32_t type, uint32_t member, uint32_t decoration, uint32_t *value) {
    for (size_t at = 0; spirv_next(m->words, m->declarations, &at);) {
        const uint32_t *i = &m->words[at];
        if (spirv_op(i) != SpvOpMemberDecorate || spirv_length(i) < 5 || i[1] != type || i[2] != member ||
            i[3] != decoration)
            continue;
        *value = i[4];
        return true;
    }
    return false;
}

static void mark(struct walk *w, uint64_t offset, uint64_t bytes, char kind) {
    for (uint64_t word = offset / 4; word < INTERFACE_WORDS && word * 4 < offset + bytes; word++)
        w->block->words[word] = kind;
}

static uint64_t place_struct(struct walk *w, const uint32_t *type, uint64_t offset, int depth) {
    uint64_t end = offset;
    for (uint32_t member = 0; member + 2 < spirv_length(type) && member < MOST_MEMBERS; member++) {
        uint32_t at = 0;
        member_number(w->module, type[1], member, SpvDecorationOffset, &at);
        uint64_t there = place(w, type[2 + member], offset + at, depth + 1);
        if (there > end) end = there;
    }
    return end;
}

static uint64_t place_array(struct walk *w, const uint32_t *type, uint64_t offset, int depth) {
    const uint32_t *length = module_defined(w->module, type[3], SpvOpConstant, 4);
    uint32_t stride = type[1] < w->module->bound ? w->module->ids[type[1]].stride : 0;
    uint32_t count = length ? length[3] : 0;
    for (uint32_t i = 0; i < count && i < MOST_ELEMENTS; i++)
        if (place(w, type[2], offset + (uint64_t)i * stride, depth + 1) == offset) break;
    return offset + (uint64_t)count * stride;
}

// Marks what a type covers from `offset` on; where it ends.
static uint64_t place(struct walk *w, uint32_t type, uint64_t offset, int depth) {
    const struct module *m = w->module;
    const uint32_t *i;
    uint64_t end = offset;
    if (depth > MOST_DEPTH || ++w->visits > MOST_VISITS) return offset;
    if ((i = module_defined(m, type, SpvOpTypeInt, 4)) || (i = module_defined(m, type, SpvOpTypeFloat, 3))) {
        end = offset + i[2] / 8;
        mark(w, offset, i[2] / 8, i[2] != 32 ? '?' : spirv_op(i) == SpvOpTypeInt ? 'i' : 'f');
    } else if ((i = module_defined(m, type, SpvOpTypeVector, 4))) {
        for (uint32_t part = 0; part < i[3] && part < 4; part++) end = place(w, i[2], end, depth + 1);
    } else if ((i = module_defined(m, type, SpvOpTypeMatrix, 4))) {
        for (uint32_t part = 0; part < i[3] && part < 4; part++) end = place(w, i[2], end, depth + 1);
    } else if ((i = module_defined(m, type, SpvOpTypeArray, 4))) {
        end = place_array(w, i, offset, depth);
    } else if ((i = module_defined(m, type, SpvOpTypeStruct, 2))) {
        end = place_struct(w, i, offset, depth);
    }
    return end;
}

void type_block(const struct module *module, uint32_t type, struct shader_block *out) {
    struct walk walk = {.module = module, .block = out};
    memset(out->words, '.', INTERFACE_WORDS);
    out->words[INTERFACE_WORDS] = '\0';
    uint64_t end = place(&walk, type, 0, 0);
    out->bytes = end > UINT32_MAX ? UINT32_MAX : (uint32_t)end;
}

// The kind and width of the numbers that an element is made of.
static void read_element(const struct module *m, uint32_t type, struct shader_binding *out) {
    struct shader_block whole = {0};
    const uint32_t *vector = module_defined(m, type, SpvOpTypeVector, 4);
    const uint32_t *integer = module_defined(m, vector ? vector[2] : type, SpvOpTypeInt, 4);
    const uint32_t *real = module_defined(m, vector ? vector[2] : type, SpvOpTypeFloat, 3);
    type_block(m, type, &whole);
    out->element_bytes = whole.bytes;
    out->element = integer ? ELEMENT_INT : real ? ELEMENT_FLOAT : ELEMENT_OTHER;
    out->bits = integer ? integer[2] : real ? real[2] : 0;
}

void type_storage(const struct module *m, uint32_t type, struct shader_binding *out) {
    const uint32_t *block = module_defined(m, type, SpvOpTypeStruct, 3);
    type_block(m, type, &out->block);
    if (!block) return;
    uint32_t last = spirv_length(block) - 3;
    const uint32_t *array = module_defined(m, block[2 + last], SpvOpTypeRuntimeArray, 3);
    if (!array) return;
    member_number(m, type, last, SpvDecorationOffset, &out->offset);
    out->stride = array[1] < m->bound ? m->ids[array[1]].stride : 0;
    read_element(m, array[2], out);
}
