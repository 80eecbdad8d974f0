// SPDX-License-Identifier: Apache-2.0
// Mutations of loads, stores and their indices.
#include "mutations.h"

#include <spirv/unified1/GLSL.std.450.h>

static bool drop_store(struct module_change *c, uint32_t item, int way) {
    uint32_t op = code_op(c->code, item);
    bool stores = op == SpvOpStore || op == SpvOpAtomicStore || op == SpvOpCooperativeMatrixStoreNV ||
                  op == OP_COOPERATIVE_MATRIX_STORE_KHR || op == OP_COOPERATIVE_MATRIX_STORE_TENSOR_NV ||
                  op == SpvOpCopyMemory;
    if (!stores || way) return false;
    change_remove(c, item);
    change_tell(c, "a store was dropped");
    return true;
}

// Repeats the access chain with its array index one up or down; 0: it has none.
static uint32_t chain_beside(struct module_change *c, uint32_t item, uint32_t pointer, bool up) {
    uint32_t chain = mutation_chain(c->code, pointer), word = chain ? mutation_array_index(c->code, chain) : 0;
    if (!word) return 0;
    const uint32_t *old = code_item(c->code, chain);
    struct number_type n = code_number(c->code, code_type(c->code, old[word]));
    if (!number_is_whole(&n)) return 0;
    uint32_t index = change_emit(
        c, BEFORE, item, up ? SpvOpIAdd : SpvOpISub, n.type, 0, OPERANDS(old[word], change_splat(c, &n, 1)));
    uint32_t *operands = arena_alloc(c->arena, spirv_length(old), sizeof *operands);
    for (uint32_t i = 3; i < spirv_length(old); i++) operands[i - 3] = i == word ? index : old[i];
    return change_emit(c, BEFORE, item, old[0] & SpvOpCodeMask, old[1], 0, operands, spirv_length(old) - 3);
}

static bool store_moved(struct module_change *c, uint32_t item, int way) {
    if (code_op(c->code, item) != SpvOpStore || way > 1) return false;
    uint32_t chain = chain_beside(c, item, code_word(c->code, item, 1), !way);
    if (!chain) return false;
    change_word(c, item, 1, chain);
    change_tell(c, "a store went one place %s", way ? "down" : "up");
    return true;
}

static bool load_neighbour(struct module_change *c, uint32_t item, int way) {
    if (code_op(c->code, item) != SpvOpLoad || way > 1) return false;
    uint32_t chain = chain_beside(c, item, code_word(c->code, item, 3), !way);
    if (!chain) return false;
    change_word(c, item, 3, chain);
    change_tell(c, "a load was of the %s place", way ? "last" : "next");
    return true;
}

// Emits the plain operation for an atomic one, on the old value and the operand; 0: there is none.
static uint32_t apart(struct module_change *c, uint32_t item, uint32_t type, uint32_t old, uint32_t value) {
    static const struct {
        uint16_t atomic, op, extended;
    } plain[] = {
        {SpvOpAtomicIAdd, SpvOpIAdd, 0},
        {SpvOpAtomicISub, SpvOpISub, 0},
        {SpvOpAtomicAnd, SpvOpBitwiseAnd, 0},
        {SpvOpAtomicOr, SpvOpBitwiseOr, 0},
        {SpvOpAtomicXor, SpvOpBitwiseXor, 0},
        {SpvOpAtomicFAddEXT, SpvOpFAdd, 0},
        {SpvOpAtomicExchange, SpvOpNop, 0},
        {SpvOpAtomicSMin, SpvOpExtInst, GLSLstd450SMin},
        {SpvOpAtomicUMin, SpvOpExtInst, GLSLstd450UMin},
        {SpvOpAtomicSMax, SpvOpExtInst, GLSLstd450SMax},
        {SpvOpAtomicUMax, SpvOpExtInst, GLSLstd450UMax},
    };
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        if (plain[i].atomic != code_op(c->code, item)) continue;
        if (plain[i].op == SpvOpNop) return value;
        if (plain[i].op != SpvOpExtInst)
            return change_emit(c, BEHIND, item, plain[i].op, type, 0, OPERANDS(old, value));
        return c->code->glsl ? mutation_extended_emit(c, BEHIND, item, plain[i].extended, type, 0, OPERANDS(old, value))
                             : 0;
    }
    return 0;
}

static bool atomic_apart(struct module_change *c, uint32_t item, int way) {
    uint32_t op = code_op(c->code, item);
    bool atomic = (op >= SpvOpAtomicExchange && op <= SpvOpAtomicXor) || op == SpvOpAtomicFAddEXT;
    if (!atomic || way) return false;
    const uint32_t *i = code_item(c->code, item);
    uint32_t pointer = i[3], made = apart(c, item, i[1], i[2], code_word(c->code, item, 6));
    if (!made) return false;
    change_remake(c, item, SpvOpLoad, OPERANDS(pointer));
    change_put(c, BEHIND, item, SpvOpStore, OPERANDS(pointer, made));
    change_tell(c, "an atomic operation became a load and a store");
    return true;
}

// Returns the word of the array index of a chain into a buffer; 0: none, or a constant.
static uint32_t computed_index(const struct code *code, uint32_t item, struct number_type *n) {
    uint32_t op = code_op(code, item), class = code_class(code, code_word(code, item, 3));
    uint64_t bits;
    if (op != SpvOpAccessChain && op != SpvOpInBoundsAccessChain) return 0;
    if (class != SpvStorageClassStorageBuffer && class != SpvStorageClassUniform) return 0;
    uint32_t word = mutation_array_index(code, item), index = code_word(code, item, word);
    *n = code_number(code, code_type(code, index));
    return word && !code_constant(code, index, &bits) && number_is_whole(n) && n->width == 32 ? word : 0;
}

static bool index_16(struct module_change *c, uint32_t item, int way) {
    struct number_type n;
    uint32_t word = computed_index(c->code, item, &n);
    if (!word || way) return false;
    uint32_t cut = change_emit(c, BEFORE, item, SpvOpBitwiseAnd, n.type, 0,
        OPERANDS(code_word(c->code, item, word), change_constant(c, n.type, 32, 0xffff)));
    change_word(c, item, word, cut);
    change_tell(c, "an index was cut to 16 bits");
    return true;
}

// Imitates an index kept in a float: from 2^24 on, only even numbers remain. It uses integer operations, because Mesa
// removes a conversion to float and back.
static bool index_float(struct module_change *c, uint32_t item, int way) {
    struct number_type n;
    uint32_t word = computed_index(c->code, item, &n), index = code_word(c->code, item, word);
    if (!word || way) return false;
    uint32_t is_small = change_emit(
        c, BEFORE, item, SpvOpULessThan, change_bool(c), 0, OPERANDS(index, change_constant(c, n.type, 32, 1 << 24)));
    uint32_t even =
        change_emit(c, BEFORE, item, SpvOpBitwiseAnd, n.type, 0, OPERANDS(index, change_constant(c, n.type, 32, ~1u)));
    uint32_t held = change_emit(c, BEFORE, item, SpvOpSelect, n.type, 0, OPERANDS(is_small, index, even));
    change_word(c, item, word, held);
    change_tell(c, "an index went through a float");
    return true;
}

const struct mutation mutations_memory[] = {
    {"memory.drop_store", "a missing store", drop_store},
    {"memory.store_moved", "a store off by one", store_moved},
    {"memory.load_neighbour", "a load off by one", load_neighbour},
    {"memory.atomic_apart", "x += y on memory shared with other invocations", atomic_apart},
    {"memory.index_16", "an index in 16 bits", index_16},
    {"memory.index_float", "an index computed in floats", index_float},
    {NULL, NULL, NULL},
};
