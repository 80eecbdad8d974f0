// SPDX-License-Identifier: Apache-2.0
#include "module.h"

#include <stdlib.h>
#include <string.h>

static struct id *id_at(const struct module *m, uint32_t id) {
    return id < m->bound ? &m->ids[id] : &m->ids[0]; // id 0 is nothing's
}

const uint32_t *module_defined(const struct module *m, uint32_t id, uint32_t op, uint32_t words) {
    uint32_t at = id_at(m, id)->at;
    const uint32_t *i = &m->words[at];
    return at && spirv_op(i) == op && spirv_length(i) >= words ? i : NULL;
}

const char *module_text(const uint32_t *instruction, uint32_t word) {
    uint32_t length = spirv_length(instruction);
    if (word >= length) return "";
    const char *text = (const char *)&instruction[word];
    return memchr(text, '\0', (length - word) * sizeof *instruction) ? text : "";
}

static void decorate(struct module *m, const uint32_t *i, uint32_t length) {
    struct id *id = id_at(m, i[1]);
    uint32_t value = length > 3 ? i[3] : 0;
    switch (i[2]) {
    case DECORATION_SPEC_ID: id->spec = value; id->has_spec = true; break;
    case DECORATION_BUFFER_BLOCK: id->buffer_block = true; break;
    case DECORATION_ARRAY_STRIDE: id->stride = value; break;
    case DECORATION_BUILT_IN: id->workgroup_size = value == BUILT_IN_WORKGROUP_SIZE; break;
    case DECORATION_BINDING: id->binding = value; id->has_binding = true; break;
    case DECORATION_SET: id->set = value; break;
    }
}

static void touch(struct module *m, uint32_t pointer, bool read, bool write) {
    struct id *variable = id_at(m, id_at(m, pointer)->root);
    variable->read |= read;
    variable->written |= write;
}

// An instruction within a function, with at least four words where it has a result.
static void follow(struct module *m, const uint32_t *i, uint32_t length) {
    uint32_t op = spirv_op(i);
    bool atomic = (op >= OP_ATOMIC_EXCHANGE && op <= OP_ATOMIC_XOR) || op == OP_ATOMIC_F_ADD ||
                  op == OP_ATOMIC_F_MIN || op == OP_ATOMIC_F_MAX;
    if (atomic && length > 3) touch(m, i[3], true, true);
    switch (op) {
    case OP_STORE:
    case OP_ATOMIC_STORE:
    case OP_COOPERATIVE_MATRIX_STORE_NV:
    case OP_COOPERATIVE_MATRIX_STORE_KHR:
        if (length > 1) touch(m, i[1], false, true);
        break;
    case OP_LOAD:
    case OP_ATOMIC_LOAD:
    case OP_COOPERATIVE_MATRIX_LOAD_NV:
    case OP_COOPERATIVE_MATRIX_LOAD_KHR:
        if (length > 3) touch(m, i[3], true, false);
        break;
    case OP_COPY_MEMORY:
    case OP_COPY_MEMORY_SIZED:
        if (length > 2) touch(m, i[1], false, true);
        if (length > 2) touch(m, i[2], true, false);
        break;
    case OP_ACCESS_CHAIN:
    case OP_IN_BOUNDS_ACCESS_CHAIN:
    case OP_PTR_ACCESS_CHAIN:
    case OP_IN_BOUNDS_PTR_ACCESS_CHAIN:
    case OP_COPY_OBJECT:
        if (length > 3) id_at(m, i[2])->root = id_at(m, i[3])->root;
        break;
    case OP_ARRAY_LENGTH:
        if (length > 3) id_at(m, id_at(m, i[3])->root)->measured = true;
        break;
    case OP_FUNCTION_CALL: // what becomes of a pointer there, or behind a choice, is not followed
    case OP_SELECT:
    case OP_PHI:
        for (uint32_t word = 3; word < length; word++) touch(m, i[word], true, true);
        break;
    }
}

static void index_instruction(struct module *m, size_t at) {
    const uint32_t *i = &m->words[at];
    uint32_t op = spirv_op(i), length = spirv_length(i), place = (uint32_t)at;
    switch (op) {
    case OP_NAME:
        if (length > 2) id_at(m, i[1])->name = place;
        break;
    case OP_DECORATE:
        if (length > 2) decorate(m, i, length);
        break;
    case OP_TYPE_INT:
    case OP_TYPE_FLOAT:
    case OP_TYPE_VECTOR:
    case OP_TYPE_MATRIX:
    case OP_TYPE_ARRAY:
    case OP_TYPE_RUNTIME_ARRAY:
    case OP_TYPE_STRUCT:
    case OP_TYPE_POINTER:
        if (length > 1) id_at(m, i[1])->at = place;
        break;
    case OP_CONSTANT:
    case OP_CONSTANT_COMPOSITE:
    case OP_SPEC_CONSTANT:
    case OP_SPEC_CONSTANT_TRUE:
    case OP_SPEC_CONSTANT_FALSE:
    case OP_SPEC_CONSTANT_COMPOSITE:
        if (length > 2) id_at(m, i[2])->at = place;
        break;
    case OP_VARIABLE:
        if (length <= 3) break;
        id_at(m, i[2])->at = place;
        if (i[2] < m->bound) id_at(m, i[2])->root = i[2];
        break;
    default:
        follow(m, i, length);
    }
}

bool module_open(struct module *m, const uint32_t *words, size_t count, struct error *err) {
    *m = (struct module){.words = words, .count = count};
    if (count < SPIRV_HEADER || words[0] != SPIRV_FIRST)
        return error_set(err, STATUS_BAD_INPUT, "this is no SPIR-V: it does not begin with 0x%08x",
            (unsigned)SPIRV_FIRST);
    m->bound = words[SPIRV_BOUND];
    if (m->bound < 1 || m->bound > SPIRV_MOST_IDS || count > UINT32_MAX)
        return error_set(err, STATUS_BAD_INPUT,
            "this is no SPIR-V that can be: %u ids, expected 1 to %d", m->bound, SPIRV_MOST_IDS);
    m->ids = calloc(m->bound, sizeof *m->ids);
    if (!m->ids) return error_set(err, STATUS_FAULT, "out of memory");
    size_t at = 0, end = SPIRV_HEADER;
    for (; spirv_next(words, count, &at); end = at + spirv_length(&words[at])) {
        if (spirv_op(&words[at]) == OP_FUNCTION && !m->declarations) m->declarations = at;
        index_instruction(m, at);
        m->ids[0] = (struct id){0}; // what strayed
    }
    if (!m->declarations) m->declarations = end;
    return end == count || error_set(err, STATUS_BAD_INPUT,
                               "the SPIR-V is damaged: the instruction at word %zu of %zu does not end in it",
                               end, count);
}

void module_close(struct module *m) {
    free(m->ids);
    *m = (struct module){0};
}
