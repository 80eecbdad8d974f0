// SPDX-License-Identifier: Apache-2.0
#include "module.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

// Id 0 is nothing's; so is one beyond the bound, which is remembered.
static struct id *id_at(struct module *m, uint32_t id) {
    if (id < m->bound) return &m->ids[id];
    m->stray = id;
    return &m->ids[0];
}

const uint32_t *module_defined(const struct module *m, uint32_t id, uint32_t op, uint32_t words) {
    uint32_t at = id < m->bound ? m->ids[id].at : 0;
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
    case SpvDecorationSpecId:
        id->spec = value;
        id->has_spec = true;
        break;
    case SpvDecorationBufferBlock:
        id->buffer_block = true;
        break;
    case SpvDecorationArrayStride:
        id->stride = value;
        break;
    case SpvDecorationBuiltIn:
        id->workgroup_size = value == SpvBuiltInWorkgroupSize;
        break;
    case SpvDecorationBinding:
        id->binding = value;
        id->has_binding = true;
        break;
    case SpvDecorationDescriptorSet:
        id->set = value;
        break;
    }
}

const uint32_t *module_entry(const struct module *m, const char *name) {
    for (size_t at = 0; spirv_next(m->words, m->declarations, &at);) {
        const uint32_t *i = &m->words[at];
        if (spirv_op(i) == SpvOpEntryPoint && spirv_length(i) > 3 && i[1] == SpvExecutionModelGLCompute &&
            strcmp(module_text(i, 3), name) == 0)
            return i;
    }
    return NULL;
}

bool module_is_remark(const struct module *m, const uint32_t *i) {
    if (spirv_op(i) != SpvOpExtInst || spirv_length(i) < 5) return false;
    const uint32_t *set = module_defined(m, i[3], SpvOpExtInstImport, 3);
    const char *name = set ? module_text(set, 2) : "";
    return strncmp(name, "NonSemantic.", 12) == 0 || strstr(name, "DebugInfo");
}

// A type's result is its first operand; all else that is declared has a type there, which is known by then.
uint32_t module_result(const struct module *m, const uint32_t *i) {
    uint32_t length = spirv_length(i), op = spirv_op(i);
    bool plain = (op >= SpvOpSourceContinued && op <= SpvOpExtension && op != SpvOpString) ||
                 (op >= SpvOpMemoryModel && op <= SpvOpCapability) || op == SpvOpTypeForwardPointer ||
                 (op >= SpvOpDecorate && op <= SpvOpGroupMemberDecorate && op != SpvOpDecorationGroup) ||
                 op == SpvOpNoLine || (op >= SpvOpModuleProcessed && op <= SpvOpDecorateId) ||
                 op == SpvOpDecorateString || op == SpvOpMemberDecorateString;
    if (plain || length < 2) return 0;
    uint32_t type = i[1] < m->bound ? m->ids[i[1]].at : 0;
    bool typed = type && &m->words[type] != i; // else it is the definition itself
    return !typed ? i[1] : length > 2 ? i[2] : 0;
}

static void index_declaration(struct module *m, const uint32_t *i, uint32_t place) {
    uint32_t length = spirv_length(i), result = module_result(m, i);
    if (result) id_at(m, result)->at = place;
    if (length < 3) return;
    if (spirv_op(i) == SpvOpName) id_at(m, i[1])->name = place;
    if (spirv_op(i) == SpvOpDecorate) decorate(m, i, length);
}

// What pointers come from, so that their types are known; and functions.
static void index_code(struct module *m, const uint32_t *i, uint32_t place) {
    switch (spirv_op(i)) {
    case SpvOpFunction:
    case SpvOpFunctionParameter:
    case SpvOpVariable:
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpPtrAccessChain:
    case SpvOpInBoundsPtrAccessChain:
    case SpvOpCopyObject:
    case SpvOpSelect:
    case SpvOpPhi:
        if (spirv_length(i) > 2) id_at(m, i[2])->at = place;
    }
}

static bool index_all(struct module *m, struct error *err) {
    size_t at = 0, end = SPIRV_HEADER;
    for (; spirv_next(m->words, m->count, &at); end = at + spirv_length(&m->words[at])) {
        if (spirv_op(&m->words[at]) == SpvOpFunction && !m->declarations) m->declarations = at;
        (m->declarations ? index_code : index_declaration)(m, &m->words[at], (uint32_t)at);
        m->ids[0] = (struct id){0}; // what strayed
        if (m->stray)
            return error_set(err, STATUS_BAD_INPUT,
                "the SPIR-V is damaged: the instruction at word %zu names id %u; ids end below %u", at, m->stray,
                m->bound);
    }
    if (!m->declarations) m->declarations = end;
    return end == m->count ||
           error_set(err, STATUS_BAD_INPUT,
               "the SPIR-V is damaged: the instruction at word %zu of %zu does not end in it", end, m->count);
}

bool module_open(struct module *m, const uint32_t *words, size_t count, struct error *err) {
    *m = (struct module){.words = words, .count = count};
    if (count < SPIRV_HEADER || words[0] != SpvMagicNumber)
        return error_set(err, STATUS_BAD_INPUT, "this is no SPIR-V: it does not begin with 0x%08x", SpvMagicNumber);
    m->bound = words[SPIRV_BOUND];
    if (m->bound < 1 || m->bound > SPIRV_MOST_IDS || count > UINT32_MAX)
        return error_set(
            err, STATUS_BAD_INPUT, "this is no SPIR-V that can be: %u ids, expected 1 to %d", m->bound, SPIRV_MOST_IDS);
    m->ids = memory_alloc(m->bound, sizeof *m->ids);
    return index_all(m, err);
}

void module_close(struct module *m) {
    free(m->ids);
    *m = (struct module){0};
}
