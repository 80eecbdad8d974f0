// SPDX-License-Identifier: Apache-2.0
// Mutations of loaded values: special values become ordinary ones.
#include "mutations.h"

#include <spirv/unified1/GLSL.std.450.h>

// Returns whether an item loads floats of this width from a buffer. Width 0 means f16 or f32.
static bool is_input(const struct code *code, uint32_t item, uint32_t width, struct number_type *n) {
    if (code_op(code, item) != SpvOpLoad) return false;
    uint32_t class = code_class(code, code_word(code, item, 3));
    *n = code_number(code, code_word(code, item, 1));
    return class == SpvStorageClassStorageBuffer && n->kind == NUMBER_FLOAT &&
           (width ? n->width == width : n->width == 16 || n->width == 32);
}

// A loaded value, its bits, and the types of both.
struct loaded_bits {
    struct number_type n, bits;
    uint32_t value, word;
};

static bool load_bits(struct module_change *c, uint32_t item, int way, struct loaded_bits *l) {
    if (way || !is_input(c->code, item, 32, &l->n)) return false;
    uint32_t whole = change_int(c, 32, false);
    l->bits =
        (struct number_type){NUMBER_UNSIGNED, 32, l->n.components, change_vector(c, whole, l->n.components), whole};
    l->value = change_wrap(c, item);
    l->word = change_emit(c, BEHIND, item, SpvOpBitcast, l->bits.type, 0, OPERANDS(l->value));
    return true;
}

static uint32_t with_bits(
    struct module_change *c, uint32_t item, const struct loaded_bits *l, uint32_t op, uint64_t bits) {
    return change_emit(c, BEHIND, item, op, l->bits.type, 0, OPERANDS(l->word, change_splat(c, &l->bits, bits)));
}

static uint32_t is_equal(
    struct module_change *c, uint32_t item, const struct loaded_bits *l, uint32_t word, uint64_t bits) {
    uint32_t type = change_vector(c, change_bool(c), l->n.components);
    return change_emit(c, BEHIND, item, SpvOpIEqual, type, 0, OPERANDS(word, change_splat(c, &l->bits, bits)));
}

// Emits the load's result: the bits `then` if the condition holds, else the loaded bits.
static void choose(
    struct module_change *c, uint32_t item, const struct loaded_bits *l, uint32_t condition, uint32_t then) {
    uint32_t word = change_emit(c, BEHIND, item, SpvOpSelect, l->bits.type, 0, OPERANDS(condition, then, l->word));
    change_emit(c, BEHIND, item, SpvOpBitcast, l->n.type, code_word(c->code, item, 2), OPERANDS(word));
}

static bool nan_zero(struct module_change *c, uint32_t item, int way) {
    struct number_type n;
    if (way || !is_input(c->code, item, 0, &n)) return false;
    uint32_t value = change_wrap(c, item), type = change_vector(c, change_bool(c), n.components);
    uint32_t is_nan = change_emit(c, BEHIND, item, SpvOpFUnordNotEqual, type, 0, OPERANDS(value, value));
    change_emit(c, BEHIND, item, SpvOpSelect, n.type, code_word(c->code, item, 2),
        OPERANDS(is_nan, change_splat(c, &n, 0), value));
    change_tell(c, "a NaN was loaded as 0");
    return true;
}

static bool infinity_finite(struct module_change *c, uint32_t item, int way) {
    struct loaded_bits l;
    if (!load_bits(c, item, way, &l)) return false;
    uint32_t magnitude = with_bits(c, item, &l, SpvOpBitwiseAnd, 0x7fffffff);
    uint32_t infinite = is_equal(c, item, &l, magnitude, mutation_infinity(32));
    choose(c, item, &l, infinite, with_bits(c, item, &l, SpvOpISub, 1));
    change_tell(c, "an infinity was loaded as the largest finite number");
    return true;
}

static bool zero_sign(struct module_change *c, uint32_t item, int way) {
    struct loaded_bits l;
    if (!load_bits(c, item, way, &l)) return false;
    choose(c, item, &l, is_equal(c, item, &l, l.word, 0x80000000), change_splat(c, &l.bits, 0));
    change_tell(c, "-0 was loaded as +0");
    return true;
}

static bool subnormal_zero(struct module_change *c, uint32_t item, int way) {
    struct loaded_bits l;
    if (!load_bits(c, item, way, &l)) return false;
    uint32_t exponent = with_bits(c, item, &l, SpvOpBitwiseAnd, 0x7f800000);
    choose(c, item, &l, is_equal(c, item, &l, exponent, 0), with_bits(c, item, &l, SpvOpBitwiseAnd, 0x80000000));
    change_tell(c, "a subnormal number was loaded as 0");
    return true;
}

// Returns whether an id is a loaded value, a component of one, or one in another width.
static bool is_loaded(const struct code *code, uint32_t id) {
    for (int step = 0; step < 4; step++) {
        uint32_t item = code_definition(code, id), op = code_defined_by(code, id);
        if (op == SpvOpLoad) {
            uint32_t class = code_class(code, code_word(code, item, 3));
            return class == SpvStorageClassStorageBuffer || class == SpvStorageClassWorkgroup;
        }
        if (op != SpvOpCompositeExtract && op != SpvOpFConvert) return false;
        id = code_word(code, item, 3);
    }
    return false;
}

// Skips a product with a factor of 0. The result differs if the other factor is an infinity or a NaN.
static bool zero_skipped(struct module_change *c, uint32_t item, int way) {
    bool fused = mutation_extended(c->code, item) == GLSLstd450Fma;
    struct number_type n = code_number(c->code, code_word(c->code, item, 1));
    uint32_t first = fused ? 5 : 3, factor = code_word(c->code, item, first + (uint32_t)(way > 0));
    if ((!fused && code_op(c->code, item) != SpvOpFMul) || way > 1 || n.kind != NUMBER_FLOAT) return false;
    if (!is_loaded(c->code, factor)) {
        if (way || !is_loaded(c->code, code_word(c->code, item, first + 1))) return false;
        factor = code_word(c->code, item, first + 1); // the only loaded factor
    } else if (way && !is_loaded(c->code, code_word(c->code, item, first))) {
        return false; // same as way 0
    }
    uint32_t zero = change_splat(c, &n, 0), type = change_vector(c, change_bool(c), n.components);
    uint32_t product = change_wrap(c, item);
    uint32_t skip = change_emit(c, BEHIND, item, SpvOpFOrdEqual, type, 0, OPERANDS(factor, zero));
    change_emit(c, BEHIND, item, SpvOpSelect, n.type, code_word(c->code, item, 2),
        OPERANDS(skip, fused ? code_word(c->code, item, 7) : zero, product));
    change_tell(c, "a factor of 0 was skipped");
    return true;
}

const struct mutation mutations_input[] = {
    {"input.nan_zero", "a maximum or a comparison that loses NaN", nan_zero},
    {"input.infinity_finite", "a clamp of loaded values", infinity_finite},
    {"input.zero_sign", "x + 0 for x", zero_sign},
    {"input.subnormal_zero", "flushing of subnormals without permission", subnormal_zero},
    {"input.zero_skipped", "sparse code that skips 0 * infinity", zero_skipped},
    {NULL, NULL, NULL},
};
