// SPDX-License-Identifier: Apache-2.0
#include "module.h"

#include "../../base/memory.h"

#include <stdlib.h>
#include <string.h>

// Returns the entry of an id. An id beyond the bound is remembered and gets the unused entry of id 0.
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

// Section 2.4: annotations come before all types, constants and variables.
bool module_is_before_types(const uint32_t *i) {
    const uint32_t op = spirv_op(i);
    return (op >= SpvOpSourceContinued && op <= SpvOpMemberName) || op == SpvOpString || op == SpvOpExtension ||
           op == SpvOpExtInstImport || (op >= SpvOpMemoryModel && op <= SpvOpCapability) ||
           (op >= SpvOpDecorate && op <= SpvOpGroupMemberDecorate) || op == SpvOpModuleProcessed ||
           op == SpvOpExecutionModeId || op == SpvOpDecorateId || op == SpvOpDecorateString ||
           op == SpvOpMemberDecorateString;
}

// An instruction newer than the headers may declare a type. A type's result is its first operand; every other
// declaration with a result has a type there, and the type is known by then.
uint32_t module_result(const struct module *m, const uint32_t *i) {
    const uint32_t length = spirv_length(i);
    if (!spirv_result(spirv_op(i)) || length < 2) return 0;
    uint32_t type = i[1] < m->bound ? m->ids[i[1]].at : 0;
    bool typed = type && &m->words[type] != i; // otherwise `type` is this definition
    return !typed ? i[1] : length > 2 ? i[2] : 0;
}

static void index_declaration(struct module *m, const uint32_t *i, uint32_t place) {
    uint32_t length = spirv_length(i), result = module_result(m, i);
    if (result) id_at(m, result)->at = place;
    if (length < 3) return;
    // The first name counts: a constant that only repeats another one adds its name to it.
    if (spirv_op(i) == SpvOpName && !id_at(m, i[1])->name) id_at(m, i[1])->name = place;
    if (spirv_op(i) == SpvOpDecorate) decorate(m, i, length);
}

// Indexes functions, and instructions making pointers, because the types of pointers must be known.
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
        m->ids[0] = (struct id){0}; // drops the marks of a stray id
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
            err, STATUS_BAD_INPUT, "this is not valid SPIR-V: %u ids, expected 1 to %d", m->bound, SPIRV_MOST_IDS);
    m->ids = memory_alloc(m->bound, sizeof *m->ids);
    return index_all(m, err);
}

void module_close(struct module *m) {
    free(m->ids);
    *m = (struct module){0};
}

// ---- types

enum { MOST_VISITS = 4096, MOST_DEPTH = 16, MOST_MEMBERS = 256, MOST_ELEMENTS = 256 };

struct module_walk {
    const struct module *module;
    struct shader_block *block;
    int visits;
    const char **names; // of words; NULL: not wanted
    const char *name;   // of the current member
};

static uint64_t place(struct module_walk *w, uint32_t type, uint64_t offset, int depth);

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

static void mark(struct module_walk *w, uint64_t offset, uint64_t bytes, char kind) {
    for (uint64_t word = offset / 4; word < INTERFACE_WORDS && word * 4 < offset + bytes; word++) {
        w->block->words[word] = kind;
        if (w->names && w->name) w->names[word] = w->name;
    }
}

const char *type_member_name(const struct module *m, uint32_t type, uint32_t member) {
    for (size_t at = 0; spirv_next(m->words, m->declarations, &at);) {
        const uint32_t *i = &m->words[at];
        if (spirv_op(i) == SpvOpMemberName && spirv_length(i) > 3 && i[1] == type && i[2] == member)
            return module_text(i, 3);
    }
    return NULL;
}

static uint64_t place_struct(struct module_walk *w, const uint32_t *type, uint64_t offset, int depth) {
    uint64_t end = offset;
    for (uint32_t member = 0; member + 2 < spirv_length(type) && member < MOST_MEMBERS; member++) {
        uint32_t at = 0;
        member_number(w->module, type[1], member, SpvDecorationOffset, &at);
        if (w->names) w->name = type_member_name(w->module, type[1], member);
        uint64_t there = place(w, type[2 + member], offset + at, depth + 1);
        if (there > end) end = there;
    }
    return end;
}

static uint64_t place_array(struct module_walk *w, const uint32_t *type, uint64_t offset, int depth) {
    const uint32_t *length = module_defined(w->module, type[3], SpvOpConstant, 4);
    uint32_t stride = type[1] < w->module->bound ? w->module->ids[type[1]].stride : 0;
    uint32_t count = length ? length[3] : 0;
    for (uint32_t i = 0; i < count && i < MOST_ELEMENTS; i++)
        if (place(w, type[2], offset + (uint64_t)i * stride, depth + 1) == offset) break;
    return offset + (uint64_t)count * stride;
}

// Marks the words covered by a type from `offset` on; returns its end.
static uint64_t place(struct module_walk *w, uint32_t type, uint64_t offset, int depth) {
    const struct module *m = w->module;
    const uint32_t at = type < m->bound ? m->ids[type].at : 0, *i = &m->words[at];
    if (depth > MOST_DEPTH || ++w->visits > MOST_VISITS || !at) return offset;
    const uint32_t op = spirv_op(i), length = spirv_length(i);
    uint64_t end = offset;
    if ((op == SpvOpTypeInt && length >= 4) || (op == SpvOpTypeFloat && length >= 3)) {
        end = offset + i[2] / 8;
        mark(w, offset, i[2] / 8, i[2] != 32 ? '?' : op == SpvOpTypeInt ? 'i' : 'f');
    } else if ((op == SpvOpTypeVector || op == SpvOpTypeMatrix) && length >= 4) {
        for (uint32_t part = 0; part < i[3] && part < 4; part++) end = place(w, i[2], end, depth + 1);
    } else if (op == SpvOpTypeArray && length >= 4) {
        end = place_array(w, i, offset, depth);
    } else if (op == SpvOpTypeStruct && length >= 2) {
        end = place_struct(w, i, offset, depth);
    }
    return end;
}

// Returns whether a block is only an array of uint vectors: compilers of WGSL and HLSL write any members as such, and
// cast each word in the code.
static bool is_raw(const struct module *m, uint32_t type) {
    const uint32_t *block = module_defined(m, type, SpvOpTypeStruct, 3);
    const uint32_t *array = block && spirv_length(block) == 3 ? module_defined(m, block[2], SpvOpTypeArray, 4) : NULL;
    const uint32_t *vector = array ? module_defined(m, array[2], SpvOpTypeVector, 4) : NULL;
    const uint32_t *integer = vector ? module_defined(m, vector[2], SpvOpTypeInt, 4) : NULL;
    return integer && vector[3] == 4 && integer[2] == 32 && !integer[3];
}

void type_block(const struct module *module, uint32_t type, struct shader_block *out) {
    struct module_walk walk = {.module = module, .block = out};
    memset(out->words, '.', INTERFACE_WORDS);
    out->words[INTERFACE_WORDS] = '\0';
    uint64_t end = place(&walk, type, 0, 0);
    for (int i = 0; i < INTERFACE_WORDS && is_raw(module, type); i++)
        if (out->words[i] == 'i') out->words[i] = '*';
    out->bytes = end > UINT32_MAX ? UINT32_MAX : (uint32_t)end;
}

void type_names(const struct module *module, uint32_t type, const char *names[]) {
    struct shader_block block;
    struct module_walk walk = {.module = module, .block = &block, .names = names};
    place(&walk, type, 0, 0);
}

// Reads the kind and width of an element's numbers.
static void read_element(const struct module *m, uint32_t type, struct shader_binding *out) {
    struct shader_block whole = {0};
    const uint32_t *vector = module_defined(m, type, SpvOpTypeVector, 4);
    const uint32_t *integer = module_defined(m, vector ? vector[2] : type, SpvOpTypeInt, 4);
    const uint32_t *real = module_defined(m, vector ? vector[2] : type, SpvOpTypeFloat, 3);
    type_block(m, type, &whole);
    out->element_bytes = whole.bytes;
    // A float with an encoding of its own (bfloat16) counts as its bits.
    const bool encoded = real && spirv_length(real) > 3;
    out->element = integer || encoded ? ELEMENT_INT : real ? ELEMENT_FLOAT : ELEMENT_OTHER;
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

uint32_t module_widest_scope(const struct module *m) {
    for (size_t at = 0; spirv_next(m->words, m->declarations, &at);)
        if (spirv_op(&m->words[at]) == SpvOpMemoryModel && m->words[at + 2] == SpvMemoryModelVulkan)
            return SpvScopeQueueFamily;
    return SpvScopeDevice;
}
