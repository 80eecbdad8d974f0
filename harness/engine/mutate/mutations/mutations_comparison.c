// SPDX-License-Identifier: Apache-2.0
// Mutations of comparisons and conditions.
#include "mutations.h"

static const struct relation {
    uint16_t op, other;
    const char *sign, *other_sign;
    bool order; // else equality
} comparisons[] = {
    {SpvOpULessThan, SpvOpULessThanEqual, "<", "<=", true},
    {SpvOpSLessThan, SpvOpSLessThanEqual, "<", "<=", true},
    {SpvOpFOrdLessThan, SpvOpFOrdLessThanEqual, "<", "<=", true},
    {SpvOpFUnordLessThan, SpvOpFUnordLessThanEqual, "<", "<=", true},
    {SpvOpULessThanEqual, SpvOpULessThan, "<=", "<", true},
    {SpvOpSLessThanEqual, SpvOpSLessThan, "<=", "<", true},
    {SpvOpFOrdLessThanEqual, SpvOpFOrdLessThan, "<=", "<", true},
    {SpvOpFUnordLessThanEqual, SpvOpFUnordLessThan, "<=", "<", true},
    {SpvOpUGreaterThan, SpvOpUGreaterThanEqual, ">", ">=", true},
    {SpvOpSGreaterThan, SpvOpSGreaterThanEqual, ">", ">=", true},
    {SpvOpFOrdGreaterThan, SpvOpFOrdGreaterThanEqual, ">", ">=", true},
    {SpvOpFUnordGreaterThan, SpvOpFUnordGreaterThanEqual, ">", ">=", true},
    {SpvOpUGreaterThanEqual, SpvOpUGreaterThan, ">=", ">", true},
    {SpvOpSGreaterThanEqual, SpvOpSGreaterThan, ">=", ">", true},
    {SpvOpFOrdGreaterThanEqual, SpvOpFOrdGreaterThan, ">=", ">", true},
    {SpvOpFUnordGreaterThanEqual, SpvOpFUnordGreaterThan, ">=", ">", true},
    {SpvOpIEqual, SpvOpINotEqual, "==", "!=", false},
    {SpvOpINotEqual, SpvOpIEqual, "!=", "==", false},
    {SpvOpFOrdEqual, SpvOpFUnordNotEqual, "==", "!=", false},
    {SpvOpFUnordEqual, SpvOpFOrdNotEqual, "==", "!=", false},
    {SpvOpFOrdNotEqual, SpvOpFUnordEqual, "!=", "==", false},
    {SpvOpFUnordNotEqual, SpvOpFOrdEqual, "!=", "==", false},
    {SpvOpLogicalEqual, SpvOpLogicalNotEqual, "==", "!=", false},
    {SpvOpLogicalNotEqual, SpvOpLogicalEqual, "!=", "==", false},
};

static const struct relation *comparison_of(const struct code *code, uint32_t item) {
    uint32_t op = code_op(code, item);
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        if (comparisons[i].op == op) return &comparisons[i];
    return NULL;
}

static bool other_comparison(struct module_change *c, uint32_t item, bool order) {
    const struct relation *found = comparison_of(c->code, item);
    if (!found || found->order != order) return false;
    change_remake(c, item, found->other, OPERANDS(code_word(c->code, item, 3), code_word(c->code, item, 4)));
    change_tell(c, "`%s` became `%s`", found->sign, found->other_sign);
    return true;
}

static bool or_equal(struct module_change *c, uint32_t item, int way) {
    return !way && other_comparison(c, item, true);
}

static bool equality(struct module_change *c, uint32_t item, int way) {
    return !way && other_comparison(c, item, false);
}

// Returns the word of the condition of a branch or a select; 0: neither.
static uint32_t condition_word(const struct code *code, uint32_t item) {
    uint32_t op = code_op(code, item);
    return op == SpvOpBranchConditional ? 1 : op == SpvOpSelect ? 3 : 0;
}

static bool negate(struct module_change *c, uint32_t item, int way) {
    uint32_t word = condition_word(c->code, item), condition = code_word(c->code, item, word);
    if (!word || way) return false;
    uint32_t negated =
        change_emit(c, BEFORE, item, SpvOpLogicalNot, code_type(c->code, condition), 0, OPERANDS(condition));
    change_word(c, item, word, negated);
    change_tell(c, "the condition of %s was negated", word == 1 ? "a branch" : "a choice");
    return true;
}

// Makes a condition constant, but never a loop endless. An endless loop would only show as a hang, and cost a timeout
// each time.
static bool constant_condition(struct module_change *c, uint32_t item, int way) {
    uint32_t word = condition_word(c->code, item), leaves = 0;
    bool value = way == 0;
    if (!word || way > 1) return false;
    if (word == 1 && mutation_loop_left(c->code, item, &leaves)) {
        if (way) return false;
        value = leaves == 2;
    }
    struct number_type number = code_number(c->code, code_type(c->code, code_word(c->code, item, word)));
    if (number.kind != NUMBER_BOOL || number.components != 1) return false;
    change_word(c, item, word, change_flag(c, value));
    change_tell(c, "the condition of %s became %s", word == 1 ? "a branch" : "a choice", value ? "true" : "false");
    return true;
}

static bool bound(struct module_change *c, uint32_t item, int way) {
    const struct relation *found = comparison_of(c->code, item);
    uint32_t limit = code_word(c->code, item, 4);
    struct number_type number = code_number(c->code, code_type(c->code, limit));
    if (!found || !found->order || !number_is_whole(&number) || way > 1) return false;
    uint32_t moved = change_emit(
        c, BEFORE, item, way ? SpvOpISub : SpvOpIAdd, number.type, 0, OPERANDS(limit, change_splat(c, &number, 1)));
    change_word(c, item, 4, moved);
    change_tell(c, "`a %s b` became `a %s b %c 1`", found->sign, found->sign, way ? '-' : '+');
    return true;
}

const struct mutation mutations_comparison[] = {
    {"comparison.or_equal", "< for <=, > for >=", or_equal},
    {"comparison.equality", "== for !=", equality},
    {"comparison.negate", "an inverted condition", negate},
    {"comparison.constant", "a missing test, or a test that always holds", constant_condition},
    {"comparison.bound", "a bound off by one", bound},
    {NULL, NULL, NULL},
};
