// SPDX-License-Identifier: Apache-2.0
#include "mutations.h"

uint32_t mutation_extended(const struct code *code, uint32_t item) {
    return code_op(code, item) == SpvOpExtInst && code->glsl && code_word(code, item, 3) == code->glsl
               ? code_word(code, item, 4)
               : 0;
}

uint32_t mutation_extended_emit(struct module_change *c, enum side side, uint32_t item, uint32_t number, uint32_t type,
    uint32_t result, const uint32_t *operands, size_t count) {
    uint32_t words[8] = {c->code->glsl, number};
    for (size_t i = 0; i < count && i < 6; i++) words[2 + i] = operands[i];
    return change_emit(c, side, item, SpvOpExtInst, type, result, words, 2 + count);
}

void mutation_extended_remake(
    struct module_change *c, uint32_t item, uint32_t number, const uint32_t *operands, size_t count) {
    const uint32_t *old = code_item(c->code, item);
    mutation_extended_emit(c, INSTEAD, item, number, old[1], old[2], operands, count);
}

uint32_t mutation_chain(const struct code *code, uint32_t pointer) {
    uint32_t op = code_defined_by(code, pointer);
    return op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain ? code_definition(code, pointer) : 0;
}

// Follows the chain's indices, starting at the type of its base.
uint32_t mutation_array_index(const struct code *code, uint32_t chain) {
    uint32_t type = code_pointee(code, code_word(code, chain, 3)), found = 0;
    uint64_t member;
    for (uint32_t word = 4; word < spirv_length(code_item(code, chain)); word++) {
        uint32_t item = code_definition(code, type), op = code_defined_by(code, type);
        switch (op) {
        case SpvOpTypeArray:
        case SpvOpTypeRuntimeArray:
            found = word;
            type = code_word(code, item, 2);
            break;
        case SpvOpTypeStruct:
            if (!code_constant(code, code_word(code, chain, word), &member) || member > 1000) return 0;
            type = code_word(code, item, 2 + (uint32_t)member);
            break;
        default: // a component of a vector, a column of a matrix
            return found;
        }
    }
    return found;
}

uint32_t mutation_loop_left(const struct code *code, uint32_t branch, uint32_t *leaves) {
    if (code_op(code, branch) != SpvOpBranchConditional) return 0;
    for (uint32_t item = code->first_function; item < code->end; item++) {
        if (code_op(code, item) != SpvOpLoopMerge) continue;
        uint32_t merge = code_word(code, item, 1), begin = code->items[item].block;
        uint32_t end = code_defined_by(code, merge) == SpvOpLabel ? code_definition(code, merge) : 0;
        // Blocks are in an order of dominance, so all blocks between header and merge block belong to the loop.
        if (branch < begin || branch > end) continue;
        for (*leaves = 2; *leaves <= 3; ++*leaves)
            if (code_word(code, branch, *leaves) == merge) return item;
    }
    return 0;
}

uint64_t mutation_infinity(uint32_t width) {
    return width == 16 ? 0x7c00 : width == 32 ? 0x7f800000 : 0x7ff0000000000000;
}

uint32_t mutation_mantissa(uint32_t width) {
    return width == 16 ? 10 : width == 32 ? 23 : 52;
}
