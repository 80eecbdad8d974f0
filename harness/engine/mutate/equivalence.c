// SPDX-License-Identifier: Apache-2.0
#include "equivalence.h"

#include "../program/controls.h"
#include "flow.h"
#include "mutations/mutations.h"
#include "range.h"
#include "../../../reference/operator.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <string.h>

// ---- special values in instructions

static bool is_comparison(uint32_t op) {
    return op >= SpvOpFOrdEqual && op <= SpvOpFUnordGreaterThanEqual;
}

// Returns whether an instruction computes with floats, and may therefore treat a subnormal as 0.
static bool is_arithmetic(const struct code *code, uint32_t item) {
    uint32_t op = code_op(code, item), extended = mutation_extended(code, item);
    bool chooses = (extended >= GLSLstd450FMin && extended <= GLSLstd450SClamp) ||
                   (extended >= GLSLstd450NMin && extended <= GLSLstd450NClamp);
    if (extended) return !chooses;
    return is_comparison(op) || (op >= SpvOpFAdd && op <= SpvOpFMod) ||
           (op >= SpvOpVectorTimesScalar && op <= SpvOpDot) || op == SpvOpFConvert || op == SpvOpConvertFToS ||
           op == SpvOpConvertFToU || op == SpvOpQuantizeToF16 || op == SpvOpIsNan || op == SpvOpIsInf ||
           op == SpvOpGroupNonUniformFAdd || op == SpvOpGroupNonUniformFMul;
}

// Returns whether an instruction selects the smallest or largest of several numbers. Its result is one of them,
// unchanged.
static bool is_extreme(const struct code *code, uint32_t item) {
    uint32_t op = code_op(code, item), extended = mutation_extended(code, item);
    return op == SpvOpGroupNonUniformFMin || op == SpvOpGroupNonUniformFMax || extended == GLSLstd450FMin ||
           extended == GLSLstd450FMax || extended == GLSLstd450FClamp || extended == GLSLstd450NMin ||
           extended == GLSLstd450NMax || extended == GLSLstd450NClamp;
}

// Judges a use of a value that arithmetic need not honour. The flow ends in arithmetic, but not in a move or a
// choice.
static enum flow use_of_unhonoured(
    const struct code *code, uint32_t item, uint32_t word, bool moved, const void *user) {
    const bool *special = user; // whether the value may be NaN or infinite
    if (is_arithmetic(code, item) || (!*special && flow_is_special(code, item, word))) return FLOW_ENDS;
    if (flow_moves(code, item, word)) return FLOW_PASSES;
    return is_extreme(code, item) && !moved ? FLOW_ALTERS : FLOW_SHOWS;
}

// Returns the float controls declared for the width of the instruction's result.
static struct policy declared(const struct equivalence_case *c) {
    struct number_type n = code_number(c->code, code_type(c->code, code_word(c->code, c->item, 2)));
    return controls_declared(c->code->words, c->code->count, n.width);
}

// Returns whether the pointer leads to an output of the operator that keeps only the values of its numbers. Scratch
// memory does not qualify, because its readers may depend on more.
static bool preserves_values_alone(const struct equivalence_case *c, uint32_t pointer) {
    uint32_t chain = mutation_chain(c->code, pointer), id = chain ? code_word(c->code, chain, 3) : pointer;
    if (code_defined_by(c->code, id) != SpvOpVariable) return false;
    const struct definition *variable = &c->code->ids[id];
    for (int i = 0; i < c->pass->binding_count; i++) {
        const struct binding_place *place = &c->pass->places[i];
        if (place->set != variable->set || place->binding != variable->binding) continue;
        int operand = operator_operand_index(c->kernel->op, c->pass->bindings[i]);
        if (operand < 0) return false;
        const struct operand *o = &c->kernel->op->operands[operand];
        return o->role != ROLE_IN && (o->preserves == PRESERVES_VALUE || !declared(c).specials);
    }
    return false;
}

// Judges a use of a subnormal number. The flow ends in arithmetic, in a minimum or maximum, and in a computed output.
// In such an output 0 is as right as a subnormal number, however it got there.
static enum flow use_of_subnormal(const struct code *code, uint32_t item, uint32_t word, bool moved, const void *user) {
    const struct equivalence_case *c = user;
    const bool special = false;
    if (is_extreme(code, item)) return FLOW_ENDS;
    if (code_op(code, item) == SpvOpStore && word == 2 && preserves_values_alone(c, code_word(code, item, 1)))
        return FLOW_ENDS;
    return use_of_unhonoured(code, item, word, moved, &special);
}

// Judges a use of a zero of either sign. Sums and products may pass the sign on to a zero of their own, and so to an
// output.
static enum flow use_of_sign(const struct code *code, uint32_t item, uint32_t word, bool moved, const void *user) {
    const struct equivalence_case *c = user;
    uint32_t op = code_op(code, item), extended = mutation_extended(code, item);
    if (flow_is_special(code, item, word)) return FLOW_ENDS;
    if (flow_moves(code, item, word)) return FLOW_PASSES;
    const bool is_even = // with the same value at -0 and 0
        extended == GLSLstd450Exp || extended == GLSLstd450Exp2 || extended == GLSLstd450Cos ||
        extended == GLSLstd450Cosh;
    const bool is_odd = // with a zero at -0 and 0
        (extended >= GLSLstd450Round && extended <= GLSLstd450Fract) || extended == GLSLstd450Sin ||
        extended == GLSLstd450Tan || extended == GLSLstd450Asin || extended == GLSLstd450Atan ||
        extended == GLSLstd450Sinh || extended == GLSLstd450Tanh || extended == GLSLstd450Asinh ||
        extended == GLSLstd450Sqrt || extended == GLSLstd450Fma || extended == GLSLstd450FMix;
    if (is_comparison(op) || op == SpvOpConvertFToS || op == SpvOpConvertFToU || op == SpvOpIsNan || op == SpvOpIsInf ||
        is_even)
        return FLOW_ENDS;
    if (op == SpvOpFAdd || op == SpvOpFSub || op == SpvOpFMul || op == SpvOpVectorTimesScalar || op == SpvOpDot ||
        op == SpvOpFConvert || op == SpvOpQuantizeToF16 || op == SpvOpGroupNonUniformFAdd ||
        op == SpvOpGroupNonUniformFMul || (op == SpvOpFDiv && word == 3) || is_odd || is_extreme(code, item))
        return FLOW_ALTERS;
    (void)moved;
    const bool kept = op == SpvOpStore && word == 2;
    return kept && preserves_values_alone(c, code_word(code, item, 1)) ? FLOW_ENDS : FLOW_SHOWS;
}

// ---- rules

static bool flushed(const struct equivalence_case *c) {
    return !declared(c).denorms && flow_is_hidden(c->code, code_word(c->code, c->item, 2), true, use_of_subnormal, c);
}

static bool unhonoured(const struct equivalence_case *c) {
    const bool special = true;
    return !declared(c).specials &&
           flow_is_hidden(c->code, code_word(c->code, c->item, 2), true, use_of_unhonoured, &special);
}

static bool product_unhonoured(const struct equivalence_case *c) {
    return !declared(c).specials;
}

static bool zero_sign(const struct equivalence_case *c) {
    return flow_is_hidden(c->code, code_word(c->code, c->item, 2), true, use_of_sign, c);
}

// Returns whether the comparison decides only choices between the two numbers it compares.
static bool equal_chosen(const struct equivalence_case *c) {
    const struct code *code = c->code;
    uint32_t condition = code_word(code, c->item, 2), a = code_word(code, c->item, 3), b = code_word(code, c->item, 4),
             chosen = 0;
    bool floats = code_number(code, code_type(code, a)).kind == NUMBER_FLOAT;
    for (uint32_t item = code->first_function; item < code->end; item++) {
        if (code->items[item].is_dead || code_op(code, item) != SpvOpSelect || code_word(code, item, 3) != condition)
            continue;
        uint32_t x = code_word(code, item, 4), y = code_word(code, item, 5);
        bool own = (x == a && y == b) || (x == b && y == a);
        if (!own || (floats && !flow_is_hidden(code, code_word(code, item, 2), false, use_of_sign, c))) return false;
        chosen++;
    }
    return chosen && code->ids[condition].uses == chosen;
}

// Returns whether the sign bit is never set.
static bool never_negative(const struct equivalence_case *c) {
    uint32_t id = code_word(c->code, c->item, 3);
    struct number_type n = code_number(c->code, code_type(c->code, id));
    return n.width && n.width <= 64 && range_most(c->code, id) < (uint64_t)1 << (n.width - 1);
}

// Returns how many low bits of the value an instruction reads; UINT32_MAX: all.
static uint32_t bits_used(const struct code *code, uint32_t item, uint32_t word) {
    struct number_type n = code_number(code, code_type(code, code_word(code, item, 2)));
    uint64_t by;
    switch (code_op(code, item)) {
    case SpvOpShiftLeftLogical:
        return word == 3 && code_constant(code, code_word(code, item, 4), &by) && by <= n.width ? n.width - (uint32_t)by
                                                                                                : UINT32_MAX;
    case SpvOpBitwiseAnd:
        if (!code_constant(code, code_word(code, item, word == 3 ? 4 : 3), &by)) return UINT32_MAX;
        for (uint32_t bits = 0; bits < 64; bits++)
            if (by < (uint64_t)1 << bits) return bits;
        return UINT32_MAX;
    case SpvOpUConvert:
    case SpvOpSConvert:
        return n.width;
    default:
        return UINT32_MAX;
    }
}

static enum flow use_of_high_bits(const struct code *code, uint32_t item, uint32_t word, bool moved, const void *user) {
    const uint32_t *low = user;
    (void)moved;
    if (flow_moves(code, item, word)) return FLOW_PASSES;
    return bits_used(code, item, word) <= *low ? FLOW_ENDS : FLOW_SHOWS;
}

// Returns whether all uses of a widened number drop its upper bits again. Only these bits depend on the sign.
static bool widened_bits_dropped(const struct equivalence_case *c) {
    uint32_t op = code_op(c->code, c->item);
    struct number_type from = code_number(c->code, code_type(c->code, code_word(c->code, c->item, 3)));
    return (op == SpvOpUConvert || op == SpvOpSConvert) &&
           flow_is_hidden(c->code, code_word(c->code, c->item, 2), true, use_of_high_bits, &from.width);
}

// Returns whether the array index of the changed access chain is always below `end`.
static bool index_below(const struct equivalence_case *c, uint64_t end) {
    uint32_t word = mutation_array_index(c->code, c->item);
    return word && range_most(c->code, code_word(c->code, c->item, word)) < end;
}
static bool index_of_16_bits(const struct equivalence_case *c) {
    return index_below(c, 1 << 16);
}
static bool index_of_a_float(const struct equivalence_case *c) {
    return index_below(c, (1 << 24) + 1);
}

const char order_of_sums[] = "order-of-sums-is-free";

const struct equivalence equivalences[] = {
    {order_of_sums, {NULL}, NULL,
        "An index or a count changed in a kernel that sums. With whole numbers, the sums are exact in any order. All "
        "bits are then the same, so it sums the same numbers.",
        "the operators' bounds, which hold for every order of summation (reference/bounds.h)"},
    {"denormals-may-be-flushed", {"input.subnormal_zero"}, flushed,
        "The module does not declare DenormPreserve. The number goes into arithmetic or a computed output, and both "
        "may take it for 0.",
        "Vulkan, Precision and Operation of SPIR-V Instructions"},
    {"specials-are-not-promised", {"input.nan_zero", "input.infinity_finite"}, unhonoured,
        "The module does not declare SignedZeroInfNanPreserve. The number goes only into arithmetic, and arithmetic "
        "need not honour NaN and infinities.",
        "Vulkan, shaderSignedZeroInfNanPreserveFloat32"},
    {"nan-of-products-is-not-promised", {"input.zero_skipped"}, product_unhonoured,
        "The module does not declare SignedZeroInfNanPreserve, so 0 * infinity need not be NaN.",
        "Vulkan, shaderSignedZeroInfNanPreserveFloat32"},
    {"sign-of-zero-is-not-promised", {"input.zero_sign"}, zero_sign,
        "The number goes only into arithmetic where the sign of a 0 changes at most the sign of another 0. A computed "
        "output does not promise this sign.",
        "the operator (PRESERVES_VALUE of reference/operator.h), or a module without SignedZeroInfNanPreserve"},
    {"equal-numbers-are-one", {"comparison.or_equal"}, equal_chosen,
        "The comparison only chooses between its two numbers, and equal numbers are interchangeable.",
        "the code itself; of zeros as sign-of-zero-is-not-promised"},
    {"never-negative", {"arithmetic.conversion_sign"}, never_negative,
        "The code that computes the number leaves its sign bit clear, so it is the same as signed and unsigned.",
        "SPIR-V, 3.42.11 Conversion Instructions"},
    {"widened-bits-are-dropped", {"arithmetic.conversion_sign"}, widened_bits_dropped,
        "All uses of the widened number look only at the bits it had before.",
        "SPIR-V, 3.42.11 Conversion Instructions"},
    {"index-fits-16-bits", {"memory.index_16"}, index_of_16_bits,
        "The code that computes the index keeps it below 2^16.", "the code itself"},
    {"index-fits-a-float", {"memory.index_float"}, index_of_a_float,
        "The code that computes the index keeps it at most 2^24, and a float holds every whole number up to there.",
        "IEEE 754, 3.6"},
    {NULL, {NULL}, NULL, NULL, NULL},
};

const struct equivalence *equivalence_of(const char *mutation, const struct equivalence_case *c) {
    for (const struct equivalence *e = equivalences; e->name; e++)
        for (size_t i = 0; i < sizeof e->mutations / sizeof *e->mutations && e->mutations[i]; i++)
            if (strcmp(e->mutations[i], mutation) == 0 && e->holds(c)) return e;
    return NULL;
}
