// SPDX-License-Identifier: Apache-2.0
// Mutations of constants, each at one use only.
#include "mutations.h"

#include <stdio.h>
#include <string.h>

// Returns whether the word of an instruction may be any constant of its type. Indices of members, components and
// cases may not, nor may scopes and semantics.
static bool takes_constants(const struct code *code, uint32_t item, uint32_t word) {
    uint32_t op = code_op(code, item);
    if (op == SpvOpExtInst) return word >= 5;
    if (op == SpvOpSelect) return word >= 4;
    if (op == SpvOpStore || op == SpvOpReturnValue) return word == (op == SpvOpStore ? 2 : 1);
    if (op == SpvOpPhi) return word % 2 == 1;
    if (op >= SpvOpGroupNonUniformShuffle && op <= SpvOpGroupNonUniformShuffleDown) return word == 5;
    return (op >= SpvOpConvertFToU && op <= SpvOpBitcast) || (op >= SpvOpSNegate && op <= SpvOpLogicalNotEqual) ||
           op == SpvOpLogicalOr || op == SpvOpLogicalAnd || (op >= SpvOpIEqual && op <= SpvOpBitCount) ||
           op == SpvOpCompositeConstruct || (op == SpvOpCompositeInsert && word == 3);
}

// Returns the word of the `way`-th operand accepted by `wanted`; 0: none.
static uint32_t find_operand(
    const struct module_change *c, uint32_t item, int way, bool (*wanted)(const struct module_change *c, uint32_t id)) {
    uint32_t length = spirv_length(code_item(c->code, item));
    for (uint32_t word = 1; word < length; word++)
        if (takes_constants(c->code, item, word) && wanted(c, code_word(c->code, item, word)) && way-- == 0)
            return word;
    return 0;
}

// ---- numbers

enum alteration { PLUS_ONE, MINUS_ONE, TWICE, TO_ZERO, TO_ONE, NEGATIVE, PART_6, PART_12, PART_20, FINITE };

static double value_of(const struct number_type *n, uint64_t bits) {
    float single;
    double wide;
    uint32_t low = (uint32_t)bits;
    if (n->width == 64) return memcpy(&wide, &bits, sizeof wide), wide;
    return memcpy(&single, &low, sizeof single), (double)single;
}

static uint64_t bits_of(const struct number_type *n, double value) {
    float single = (float)value;
    uint64_t wide;
    uint32_t low;
    if (n->width == 64) return memcpy(&wide, &value, sizeof wide), wide;
    return memcpy(&low, &single, sizeof low), low;
}

// Adds 1/2^part of the number's power of two.
static bool add_part(const struct number_type *n, uint32_t part, uint64_t *bits) {
    uint64_t infinity = mutation_infinity(n->width), magnitude = *bits & ~((uint64_t)1 << (n->width - 1));
    if (!magnitude || magnitude >= infinity || mutation_mantissa(n->width) < part) return false;
    *bits += (uint64_t)1 << (mutation_mantissa(n->width) - part);
    return true;
}

static bool alter_float(const struct number_type *n, enum alteration how, uint64_t *bits) {
    uint64_t sign = (uint64_t)1 << (n->width - 1), infinity = mutation_infinity(n->width), magnitude = *bits & ~sign;
    bool finite = magnitude < infinity, arithmetic = finite && n->width >= 32;
    switch (how) {
    case PLUS_ONE:
        *bits = bits_of(n, value_of(n, *bits) + 1);
        return arithmetic;
    case MINUS_ONE:
        *bits = bits_of(n, value_of(n, *bits) - 1);
        return arithmetic;
    case TWICE:
        *bits += (uint64_t)1 << mutation_mantissa(n->width);
        return magnitude && (magnitude + ((uint64_t)1 << mutation_mantissa(n->width))) < infinity;
    case TO_ZERO:
        *bits = 0;
        return magnitude != 0;
    case TO_ONE: {
        bool zero = !magnitude;
        *bits = n->width == 16 ? 0x3c00 : bits_of(n, 1);
        return zero;
    }
    case NEGATIVE:
        *bits ^= sign;
        return magnitude != 0;
    case PART_6:
        return add_part(n, 6, bits);
    case PART_12:
        return add_part(n, 12, bits);
    case PART_20:
        return add_part(n, 20, bits);
    case FINITE: {
        bool infinite = magnitude == infinity;
        *bits -= 1;
        return infinite;
    }
    }
    return false;
}

static bool alter_whole(const struct number_type *n, enum alteration how, uint64_t *bits) {
    uint64_t old = *bits, mask = n->width == 64 ? UINT64_MAX : ((uint64_t)1 << n->width) - 1;
    switch (how) {
    case PLUS_ONE:
        *bits = (old + 1) & mask;
        return true;
    case MINUS_ONE:
        *bits = (old - 1) & mask;
        return true;
    case TWICE:
        *bits = (old * 2) & mask;
        return old > 1;
    case TO_ZERO:
        *bits = 0;
        return (old & mask) > 1; // for 1, minus_one does this
    case NEGATIVE:
        *bits = (0 - old) & mask;
        return (old & mask) != 0 && n->kind == NUMBER_SIGNED;
    default:
        return false;
    }
}

static bool altered(const struct code *code, uint32_t id, enum alteration how, struct number_type *n, uint64_t *bits) {
    if (!code_constant(code, id, bits)) return false;
    *n = code_number(code, code_type(code, id));
    if (n->kind == NUMBER_FLOAT && (n->width == 16 || n->width == 32 || n->width == 64))
        return alter_float(n, how, bits);
    return number_is_whole(n) && n->width == 32 && alter_whole(n, how, bits);
}

static void tell_number(const struct number_type *n, uint64_t bits, char text[40]) {
    if (n->kind == NUMBER_FLOAT && n->width >= 32)
        snprintf(text, 40, "%.9g", value_of(n, bits));
    else if (n->kind == NUMBER_FLOAT)
        snprintf(text, 40, "0x%04x as a half", (unsigned)bits);
    else if (n->kind == NUMBER_SIGNED)
        snprintf(text, 40, "%d", (int)(uint32_t)bits);
    else
        snprintf(text, 40, "%uu", (unsigned)bits);
}

static bool alter(struct module_change *c, uint32_t item, int way, enum alteration how) {
    uint32_t length = spirv_length(code_item(c->code, item));
    for (uint32_t word = 1; word < length; word++) {
        struct number_type n;
        uint64_t old, bits;
        uint32_t id = code_word(c->code, item, word);
        char before[40], after[40];
        if (!takes_constants(c->code, item, word) || !altered(c->code, id, how, &n, &bits) || way-- > 0) continue;
        code_constant(c->code, id, &old);
        change_word(c, item, word, change_splat(c, &n, bits));
        tell_number(&n, old, before);
        tell_number(&n, bits, after);
        change_tell(c, "the constant %s became %s", before, after);
        return true;
    }
    return false;
}

#define ALTERATION(name, how)                                                                                          \
    static bool name(struct module_change *c, uint32_t item, int way) {                                                \
        return alter(c, item, way, how);                                                                               \
    }
ALTERATION(plus_one, PLUS_ONE)
ALTERATION(minus_one, MINUS_ONE)
ALTERATION(twice, TWICE)
ALTERATION(to_zero, TO_ZERO)
ALTERATION(to_one, TO_ONE)
ALTERATION(negative, NEGATIVE)
ALTERATION(part_6, PART_6)
ALTERATION(part_12, PART_12)
ALTERATION(part_20, PART_20)
ALTERATION(finite, FINITE)

// ---- specialization constants

static const struct code_tunable *tunable_of(const struct code *code, uint32_t id) {
    if (id >= code->bound || !code->ids[id].tunable) return NULL;
    for (int i = 0; i < code->interface->tunable_count; i++)
        if (code->interface->tunables[i].id == code->ids[id].tunable - 1) return &code->interface->tunables[i];
    return NULL;
}

static bool is_tunable(const struct module_change *c, uint32_t id) {
    const struct code_tunable *t = tunable_of(c->code, id);
    return t && t->count > 1 && code_defined_by(c->code, id) == SpvOpSpecConstant;
}

// Replaces a tunable by the next of its values; after the last comes the first.
static bool other_tunable(struct module_change *c, uint32_t item, int way) {
    uint32_t word = find_operand(c, item, way, is_tunable), id = code_word(c->code, item, word);
    if (!word) return false;
    const struct code_tunable *t = tunable_of(c->code, id);
    struct number_type n = code_number(c->code, code_type(c->code, id));
    int at = 0;
    while (at < t->count && t->values[at] != t->value) at++;
    uint64_t value = (uint64_t)t->values[(at + 1) % t->count];
    change_word(c, item, word, change_constant(c, n.type, n.width, value & UINT32_MAX));
    change_tell(c, "%s became another of its values", t->name);
    return true;
}

const struct mutation mutations_constant[] = {
    {"constant.plus_one", "a constant off by one", plus_one},
    {"constant.minus_one", "a constant off by one", minus_one},
    {"constant.twice", "a constant of the wrong size", twice},
    {"constant.zero", "a missing constant", to_zero},
    {"constant.one", "the neutral element of a product for that of a sum", to_one},
    {"constant.negative", "a missing sign", negative},
    {"constant.part_6", "a coefficient with too few digits (1/64)", part_6},
    {"constant.part_12", "a coefficient with too few digits (1/4096)", part_12},
    {"constant.part_20", "a coefficient with too few digits (1/1048576)", part_20},
    {"constant.finite", "the largest finite number for infinity", finite},
    {"constant.tunable", "a loop or a stride that ignores a tunable", other_tunable},
    {NULL, NULL, NULL},
};
