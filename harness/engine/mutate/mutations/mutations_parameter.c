// SPDX-License-Identifier: Apache-2.0
// Mutations of push constants and members of the uniform block.
#include "mutations.h"

#include <string.h>

// Returns the byte offset of a structure's member; UINT32_MAX: it has no Offset decoration.
static uint32_t member_offset(const struct code *code, uint32_t type, uint32_t member) {
    for (uint32_t item = 1; item < code->first_type; item++)
        if (code_op(code, item) == SpvOpMemberDecorate && code_word(code, item, 1) == type &&
            code_word(code, item, 2) == member && code_word(code, item, 3) == SpvDecorationOffset)
            return code_word(code, item, 4);
    return UINT32_MAX;
}

// Returns the parameter loaded by an instruction; NULL: none.
static const struct code_parameter *parameter_of(const struct code *code, uint32_t item, struct number_type *n) {
    if (code_op(code, item) != SpvOpLoad) return NULL;
    uint32_t pointer = code_word(code, item, 3), chain = mutation_chain(code, pointer),
             class = code_class(code, pointer);
    uint64_t member;
    *n = code_number(code, code_word(code, item, 1));
    if (!chain || (class != SpvStorageClassPushConstant && class != SpvStorageClassUniform)) return NULL;
    if (spirv_length(code_item(code, chain)) != 5 || n->components != 1 || n->width != 32) return NULL;
    if (!code_constant(code, code_word(code, chain, 4), &member)) return NULL;
    uint32_t offset = member_offset(code, code_pointee(code, code_word(code, chain, 3)), (uint32_t)member);
    return offset % 4 == 0 && offset / 4 < (uint32_t)code->interface->parameter_count
               ? &code->interface->parameters[offset / 4]
               : NULL;
}

static bool by_default(struct module_change *c, uint32_t item, int way) {
    struct number_type n;
    const struct code_parameter *p = way ? NULL : parameter_of(c->code, item, &n);
    uint32_t bits;
    if (!p || !p->has_standard) return false;
    float single = (float)p->standard;
    memcpy(&bits, &single, sizeof bits);
    if (n.kind != NUMBER_FLOAT) bits = (uint32_t)(int64_t)p->standard;
    change_remake(c, item, SpvOpCopyObject, OPERANDS(change_constant(c, n.type, 32, bits)));
    change_tell(c, "%s became its default, %g", p->name, p->standard);
    return true;
}

static bool low_bits(struct module_change *c, uint32_t item, int way) {
    struct number_type n;
    const struct code_parameter *p = way ? NULL : parameter_of(c->code, item, &n);
    if (!p) return false;
    uint32_t result = code_word(c->code, item, 2), value = change_wrap(c, item);
    if (n.kind == NUMBER_FLOAT)
        change_emit(c, BEHIND, item, SpvOpQuantizeToF16, n.type, result, OPERANDS(value));
    else
        change_emit(
            c, BEHIND, item, SpvOpBitwiseAnd, n.type, result, OPERANDS(value, change_constant(c, n.type, 32, 0xffff)));
    change_tell(c, n.kind == NUMBER_FLOAT ? "%s was given as an f16" : "%s was cut to its low 16 bits", p->name);
    return true;
}

const struct mutation mutations_parameter[] = {
    {"parameter.default", "a parameter hard-coded in the shader", by_default},
    {"parameter.low_bits", "a parameter in 16 bits", low_bits},
    {NULL, NULL, NULL},
};
