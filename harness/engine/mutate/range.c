// SPDX-License-Identifier: Apache-2.0
#include "range.h"

#include "mutations/mutations.h"

#include <spirv/unified1/GLSL.std.450.h>

enum { DEPTH = 12 };

static uint64_t most_at(const struct code *code, uint32_t id, int depth);

static uint64_t least_of(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t greater_of(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

// Returns the bound of an operand.
static uint64_t at(const struct code *code, uint32_t item, uint32_t word, int depth) {
    return most_at(code, code_word(code, item, word), depth + 1);
}

static uint64_t most_of_operation(const struct code *code, uint32_t item, int depth) {
    uint64_t a = at(code, item, 3, depth), b = at(code, item, 4, depth), by;
    bool constant = code_constant(code, code_word(code, item, 4), &by);
    switch (code_op(code, item)) {
    case SpvOpIAdd:
        return a <= UINT64_MAX - b ? a + b : UINT64_MAX;
    case SpvOpIMul:
        return a <= UINT32_MAX && b <= UINT32_MAX ? a * b : UINT64_MAX;
    case SpvOpUDiv:
        return constant && by ? a / by : a;
    case SpvOpUMod:
        return b ? least_of(a, b - 1) : a;
    case SpvOpBitwiseAnd:
        return least_of(a, b);
    case SpvOpBitwiseOr:
    case SpvOpBitwiseXor:
        a |= b;
        for (int shift = 1; shift < 64; shift *= 2) a |= a >> shift; // all bits below the highest one
        return a;
    case SpvOpShiftRightLogical:
        return constant ? (by < 64 ? a >> by : 0) : a;
    case SpvOpShiftLeftLogical:
        return constant && by < 32 && a <= UINT32_MAX ? a << by : UINT64_MAX;
    default:
        return UINT64_MAX;
    }
}

static uint64_t most_of_extended(const struct code *code, uint32_t item, int depth) {
    switch (mutation_extended(code, item)) {
    case GLSLstd450UMin:
        return least_of(at(code, item, 5, depth), at(code, item, 6, depth));
    case GLSLstd450UMax:
        return greater_of(at(code, item, 5, depth), at(code, item, 6, depth));
    default:
        return UINT64_MAX;
    }
}

// Bounds a whole number, or a vector of them, that is moved or converted.
static uint64_t most_of_whole(const struct code *code, uint32_t id, uint32_t item, int depth) {
    struct number_type from = code_number(code, code_type(code, code_word(code, item, 3))),
                       to = code_number(code, code_type(code, id));
    bool same = from.width == to.width || code_op(code, item) == SpvOpUConvert;
    return number_is_whole(&from) && same ? at(code, item, 3, depth) : UINT64_MAX;
}

static uint64_t most_of_tunable(const struct code *code, uint32_t id) {
    uint64_t most = 0;
    for (int i = 0; i < code->interface->tunable_count; i++) {
        const struct code_tunable *t = &code->interface->tunables[i];
        if (!code->ids[id].tunable || t->id != code->ids[id].tunable - 1) continue;
        for (int v = 0; v < t->count; v++)
            most = t->values[v] < 0 ? UINT64_MAX : greater_of(most, (uint64_t)t->values[v]);
        return t->count ? most : UINT64_MAX;
    }
    return UINT64_MAX;
}

static uint64_t most_of(const struct code *code, uint32_t id, uint32_t item, int depth) {
    uint64_t bits, most = 0;
    if (code_constant(code, id, &bits)) return bits;
    switch (code_op(code, item)) {
    case SpvOpSpecConstant:
        return most_of_tunable(code, id);
    case SpvOpCopyObject:
    case SpvOpUConvert:
    case SpvOpBitcast:
    case SpvOpCompositeExtract:
        return most_of_whole(code, id, item, depth);
    case SpvOpSelect:
        return greater_of(at(code, item, 4, depth), at(code, item, 5, depth));
    case SpvOpPhi:
        for (uint32_t word = 3; word < spirv_length(code_item(code, item)); word += 2)
            most = greater_of(most, at(code, item, word, depth));
        return most;
    case SpvOpBitCount:
        return 64;
    case SpvOpExtInst:
        return most_of_extended(code, item, depth);
    default:
        return most_of_operation(code, item, depth);
    }
}

static uint64_t most_at(const struct code *code, uint32_t id, int depth) {
    struct number_type n = code_number(code, code_type(code, id));
    uint32_t item = code_definition(code, id);
    uint64_t all = n.width && n.width < 64 ? ((uint64_t)1 << n.width) - 1 : UINT64_MAX;
    if (!number_is_whole(&n) || !item || depth > DEPTH) return all;
    uint64_t most = most_of(code, id, item, depth);
    return most < all ? most : all;
}

uint64_t range_most(const struct code *code, uint32_t id) {
    return most_at(code, id, 0);
}
