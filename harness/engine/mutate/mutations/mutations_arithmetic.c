// SPDX-License-Identifier: Apache-2.0
// Mutations of sums, products and other operations on two numbers.
#include "mutations.h"

#include <spirv/unified1/GLSL.std.450.h>

static const struct binary {
    uint16_t op, other;
    const char *sign, *other_sign;
    bool ordered; // not commutative
} binaries[] = {
    {SpvOpFAdd, SpvOpFSub, "+", "-", false},
    {SpvOpFSub, SpvOpFAdd, "-", "+", true},
    {SpvOpFMul, SpvOpFDiv, "*", "/", false},
    {SpvOpFDiv, SpvOpFMul, "/", "*", true},
    {SpvOpFRem, SpvOpFMod, "rem", "mod", true},
    {SpvOpFMod, SpvOpFRem, "mod", "rem", true},
    {SpvOpIAdd, SpvOpISub, "+", "-", false},
    {SpvOpISub, SpvOpIAdd, "-", "+", true},
    {SpvOpIMul, SpvOpIAdd, "*", "+", false},
    {SpvOpUDiv, SpvOpIMul, "/", "*", true},
    {SpvOpSDiv, SpvOpIMul, "/", "*", true},
    {SpvOpUMod, SpvOpUDiv, "%", "/", true},
    {SpvOpSRem, SpvOpSDiv, "%", "/", true},
    {SpvOpSMod, SpvOpSDiv, "%", "/", true},
    {SpvOpShiftLeftLogical, SpvOpShiftRightLogical, "<<", ">>", true},
    {SpvOpShiftRightLogical, SpvOpShiftLeftLogical, ">>", "<<", true},
    {SpvOpShiftRightArithmetic, SpvOpShiftRightLogical, "signed >>", "unsigned >>", true},
    {SpvOpBitwiseAnd, SpvOpBitwiseOr, "&", "|", false},
    {SpvOpBitwiseOr, SpvOpBitwiseAnd, "|", "&", false},
    {SpvOpBitwiseXor, SpvOpBitwiseOr, "^", "|", false},
    {SpvOpLogicalAnd, SpvOpLogicalOr, "&&", "||", false},
    {SpvOpLogicalOr, SpvOpLogicalAnd, "||", "&&", false},
};

static const struct binary *binary_of(const struct code *code, uint32_t item) {
    uint32_t op = code_op(code, item);
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
        if (binaries[i].op == op) return &binaries[i];
    return NULL;
}

static bool exchange(struct module_change *c, uint32_t item, int way) {
    const struct binary *b = binary_of(c->code, item);
    if (!b || way) return false;
    change_remake(c, item, b->other, OPERANDS(code_word(c->code, item, 3), code_word(c->code, item, 4)));
    change_tell(c, "`%s` became `%s`", b->sign, b->other_sign);
    return true;
}

// Returns the word of the operand that is left when the other one is dropped; 0: none.
static uint32_t stays(const struct code *code, uint32_t item, int way, const char **sign) {
    const struct binary *b = binary_of(code, item);
    switch (code_op(code, item)) {
    case SpvOpVectorTimesScalar:
    case SpvOpMatrixTimesScalar:
        *sign = "*";
        return way ? 0 : 3;
    case SpvOpCooperativeMatrixMulAddNV:
    case OP_COOPERATIVE_MATRIX_MUL_ADD_KHR:
        *sign = "a * b +";
        return way ? 0 : 5;
    }
    if (!b || way > 1) return 0;
    *sign = b->sign;
    return way ? 4 : 3;
}

static bool drop_operand(struct module_change *c, uint32_t item, int way) {
    const char *sign;
    uint32_t word = stays(c->code, item, way, &sign), operand = code_word(c->code, item, word);
    if (!word || code_type(c->code, operand) != code_word(c->code, item, 1)) return false;
    change_remake(c, item, SpvOpCopyObject, OPERANDS(operand));
    change_tell(c, "`%s` lost its %s operand", sign, word == 3 ? "second" : "first");
    return true;
}

static bool swap(struct module_change *c, uint32_t item, int way) {
    const struct binary *b = binary_of(c->code, item);
    uint32_t first = code_word(c->code, item, 3), second = code_word(c->code, item, 4);
    if (!b || !b->ordered || way || first == second || code_type(c->code, first) != code_type(c->code, second))
        return false;
    change_remake(c, item, b->op, OPERANDS(second, first));
    change_tell(c, "the operands of `%s` changed places", b->sign);
    return true;
}

static bool drop_addend(struct module_change *c, uint32_t item, int way) {
    if (mutation_extended(c->code, item) != GLSLstd450Fma || way) return false;
    change_remake(c, item, SpvOpFMul, OPERANDS(code_word(c->code, item, 5), code_word(c->code, item, 6)));
    change_tell(c, "fma(a, b, c) became a * b");
    return true;
}

static bool drop_negation(struct module_change *c, uint32_t item, int way) {
    uint32_t op = code_op(c->code, item), operand = code_word(c->code, item, 3);
    if ((op != SpvOpFNegate && op != SpvOpSNegate && op != SpvOpNot && op != SpvOpLogicalNot) || way) return false;
    if (code_type(c->code, operand) != code_word(c->code, item, 1)) return false;
    change_remake(c, item, SpvOpCopyObject, OPERANDS(operand));
    change_tell(c, "a negation was dropped");
    return true;
}

static bool conversion_sign(struct module_change *c, uint32_t item, int way) {
    static const struct {
        uint16_t op, other;
        const char *summary;
    } pairs[] = {
        {SpvOpConvertUToF, SpvOpConvertSToF, "an unsigned number was converted as a signed one"},
        {SpvOpConvertSToF, SpvOpConvertUToF, "a signed number was converted as an unsigned one"},
        {SpvOpSConvert, SpvOpUConvert, "a signed number was widened as an unsigned one"},
        {SpvOpUConvert, SpvOpSConvert, "an unsigned number was widened as a signed one"},
    };
    struct number_type from = code_number(c->code, code_type(c->code, code_word(c->code, item, 3))),
                       to = code_number(c->code, code_word(c->code, item, 1));
    for (size_t i = 0; !way && i < sizeof pairs / sizeof *pairs; i++) {
        if (pairs[i].op != code_op(c->code, item)) continue;
        if (number_is_whole(&to) && to.width <= from.width) return false; // both drop the same bits
        change_remake(c, item, pairs[i].other, OPERANDS(code_word(c->code, item, 3)));
        change_tell(c, "%s", pairs[i].summary);
        return true;
    }
    return false;
}

const struct mutation mutations_arithmetic[] = {
    {"arithmetic.exchange", "the wrong operator: + for -, * for /, & for |", exchange},
    {"arithmetic.drop_operand", "a missing term or factor", drop_operand},
    {"arithmetic.swap_operands", "a - b for b - a, a / b for b / a", swap},
    {"arithmetic.drop_addend", "a sum that loses its earlier terms", drop_addend},
    {"arithmetic.drop_negation", "a missing sign", drop_negation},
    {"arithmetic.conversion_sign", "int for uint", conversion_sign},
    {NULL, NULL, NULL},
};
