// SPDX-License-Identifier: Apache-2.0
#include "changes.h"

#include "module.h"

#include <string.h>

enum { CONSTANT_WORDS = 4, SUBTRACTION_WORDS = 5 };

// Returns the bytes from one element to the next, for the array of an OpArrayLength; 0: unknown.
static uint32_t stride_of(const struct module *m, const uint32_t *i) {
    const uint32_t *maker = i[3] < m->bound && m->ids[i[3]].at ? &m->words[m->ids[i[3]].at] : NULL;
    const uint32_t *pointer =
        maker && spirv_length(maker) > 2 ? module_defined(m, maker[1], SpvOpTypePointer, 4) : NULL;
    const uint32_t *block = pointer ? module_defined(m, pointer[3], SpvOpTypeStruct, 3) : NULL;
    if (!block || i[4] >= spirv_length(block) - 2) return 0;
    const uint32_t *array = module_defined(m, block[2 + i[4]], SpvOpTypeRuntimeArray, 3);
    return array ? m->ids[array[1]].stride : 0;
}

static bool is_length(const uint32_t *i) {
    return spirv_op(i) == SpvOpArrayLength && spirv_length(i) == 5;
}

static bool count_lengths(const struct module *m, uint32_t bytes, uint32_t *count, struct error *err) {
    *count = 0;
    for (size_t at = m->declarations; at < m->count; at += spirv_length(&m->words[at])) {
        if (!is_length(&m->words[at])) continue;
        uint32_t stride = stride_of(m, &m->words[at]);
        if (!stride || bytes % stride)
            return error_set(err, STATUS_BAD_INPUT, "word %zu takes the length of an array with unknown elements", at);
        ++*count;
    }
    return true;
}

// Puts the constants before the first function. Length number n uses the ids bound + 2 n and bound + 2 n + 1.
static size_t put_constants(const struct module *m, uint32_t bytes, uint32_t *out) {
    uint32_t id = m->bound, *to = out;
    for (size_t at = m->declarations; at < m->count; at += spirv_length(&m->words[at])) {
        const uint32_t *i = &m->words[at];
        if (!is_length(i)) continue;
        const uint32_t constant[] = {CONSTANT_WORDS << 16 | SpvOpConstant, i[1], id, bytes / stride_of(m, i)};
        memcpy(to, constant, sizeof constant);
        to += CONSTANT_WORDS;
        id += 2;
    }
    return (size_t)(to - out);
}

static size_t put_code(const struct module *m, uint32_t *out) {
    uint32_t id = m->bound, *to = out;
    for (size_t at = m->declarations; at < m->count; at += spirv_length(&m->words[at])) {
        const uint32_t *i = &m->words[at];
        memcpy(to, i, spirv_length(i) * sizeof *i);
        if (is_length(i)) to[2] = id + 1;
        to += spirv_length(i);
        if (!is_length(i)) continue;
        const uint32_t less[] = {SUBTRACTION_WORDS << 16 | SpvOpISub, i[1], i[2], id + 1, id};
        memcpy(to, less, sizeof less);
        to += SUBTRACTION_WORDS;
        id += 2;
    }
    return (size_t)(to - out);
}

static bool shorten(struct arena *arena, const struct module *m, uint32_t bytes, struct spirv *out, struct error *err) {
    uint32_t count;
    if (!count_lengths(m, bytes, &count, err)) return false;
    if (m->bound + 2 * (uint64_t)count > SPIRV_MOST_IDS)
        return error_set(err, STATUS_BAD_INPUT, "no free ids for %u lengths", count);
    out->words = arena_alloc(arena, m->count + count * (CONSTANT_WORDS + SUBTRACTION_WORDS), sizeof *out->words);
    memcpy(out->words, m->words, m->declarations * sizeof *out->words);
    out->words[SPIRV_BOUND] = m->bound + 2 * count;
    out->count = m->declarations;
    out->count += put_constants(m, bytes, &out->words[out->count]);
    out->count += put_code(m, &out->words[out->count]);
    return true;
}

bool lengths_shorten(
    struct arena *arena, const struct spirv *spirv, uint32_t bytes, struct spirv *out, struct error *err) {
    struct module module;
    *out = *spirv;
    bool ok = module_open(&module, spirv->words, spirv->count, err) && shorten(arena, &module, bytes, out, err);
    module_close(&module);
    return ok;
}
