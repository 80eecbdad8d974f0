// SPDX-License-Identifier: Apache-2.0
// Mutations of how exactly floats are computed.
#include "mutations.h"

#include <spirv/unified1/GLSL.std.450.h>

static bool is_sum(const struct code *code, uint32_t item) {
    return code_op(code, item) == SpvOpFAdd || mutation_extended(code, item) == GLSLstd450Fma;
}

static bool has_operand(const struct code *code, uint32_t item, uint32_t id) {
    for (uint32_t word = 3; word < spirv_length(code_item(code, item)); word++)
        if (code_word(code, item, word) == id) return true;
    return false;
}

// Whether a sum goes on from turn to turn: through a phi that it adds to, or through a variable.
static bool is_carried(const struct code *code, uint32_t sum) {
    uint32_t result = code_word(code, sum, 2);
    for (uint32_t item = code->first_function; item < code->end; item++) {
        uint32_t op = code_op(code, item);
        if (op == SpvOpPhi && has_operand(code, item, result) && has_operand(code, sum, code_word(code, item, 2)))
            return true;
        if (op != SpvOpStore || code_word(code, item, 2) != result) continue;
        uint32_t class = code_class(code, code_word(code, item, 1));
        if (class == SpvStorageClassFunction || class == SpvStorageClassPrivate || class == SpvStorageClassWorkgroup)
            return true;
    }
    return false;
}

static bool sum_half(struct change *c, uint32_t item, int way) {
    if (way || !is_sum(c->code, item)) return false;
    struct number n = code_number(c->code, code_word(c->code, item, 1));
    if (n.kind != NUMBER_FLOAT || n.width != 32 || !is_carried(c->code, item)) return false;
    uint32_t inner = change_wrap(c, item);
    change_emit(c, BEHIND, item, SpvOpQuantizeToF16, n.type, code_word(c->code, item, 2), OPERANDS(inner));
    change_tell(c, "a sum was kept in f16");
    return true;
}

// As factors of 10 bits give it.
static bool product_truncated(struct change *c, uint32_t item, int way) {
    uint32_t op = code_op(c->code, item);
    if (way || (op != SpvOpFMul && op != SpvOpVectorTimesScalar)) return false;
    struct number n = code_number(c->code, code_word(c->code, item, 1));
    if (n.kind != NUMBER_FLOAT || n.width != 32) return false;
    uint32_t whole = change_int(c, 32, false);
    struct number bits = {NUMBER_UNSIGNED, 32, n.components, change_vector(c, whole, n.components), whole};
    uint32_t inner = change_wrap(c, item);
    uint32_t word = change_emit(c, BEHIND, item, SpvOpBitcast, bits.type, 0, OPERANDS(inner));
    uint32_t cut =
        change_emit(c, BEHIND, item, SpvOpBitwiseAnd, bits.type, 0, OPERANDS(word, change_splat(c, &bits, 0xffffe000)));
    change_emit(c, BEHIND, item, SpvOpBitcast, n.type, code_word(c->code, item, 2), OPERANDS(cut));
    change_tell(c, "a product was cut to 10 bits of mantissa");
    return true;
}

static bool contraction(struct change *c, uint32_t item, int way) {
    if (way || !code_has_result(code_op(c->code, item)) || code_op(c->code, item) == SpvOpLabel) return false;
    uint32_t result = code_word(c->code, item, 2);
    uint32_t decoration = result < c->code->bound ? c->code->ids[result].no_contraction : 0;
    if (!decoration) return false;
    change_remove(c, decoration);
    change_tell(c, "`precise` was dropped");
    return true;
}

const struct mutation mutations_precision[] = {
    {"precision.sum_half", "a sum in half precision", sum_half},
    {"precision.product_truncated", "a product of fewer bits, as tensor units make it", product_truncated},
    {"precision.contraction", "a compiler that contracts what it must not", contraction},
    {NULL, NULL, NULL},
};
