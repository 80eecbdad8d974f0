// SPDX-License-Identifier: Apache-2.0
// Mutations of floating-point precision.
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

// Returns whether a sum continues from turn to turn, through a phi it adds to or through a variable.
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

static bool sum_half(struct module_change *c, uint32_t item, int way) {
    if (way || !is_sum(c->code, item)) return false;
    struct number_type n = code_number(c->code, code_word(c->code, item, 1));
    if (n.kind != NUMBER_FLOAT || n.width != 32 || !is_carried(c->code, item)) return false;
    uint32_t inner = change_wrap(c, item);
    change_emit(c, BEHIND, item, SpvOpQuantizeToF16, n.type, code_word(c->code, item, 2), OPERANDS(inner));
    change_tell(c, "a sum was kept in f16");
    return true;
}

static struct number_type bits_of_floats(struct module_change *c, const struct number_type *n) {
    const uint32_t whole = change_int(c, 32, false);
    return (struct number_type){NUMBER_UNSIGNED, 32, n->components, change_vector(c, whole, n->components), whole};
}

// ---- rounding of sums

static uint32_t variable_of(const struct code *code, uint32_t pointer) {
    while (code_defined_by(code, pointer) == SpvOpAccessChain)
        pointer = code_word(code, code_definition(code, pointer), 3);
    return pointer;
}

// Fills in the addends of a sum. For a fused one, this is only the number added to the product; the other is 0.
static void addends_of(const struct code *code, uint32_t sum, uint32_t addends[2]) {
    const bool fused = mutation_extended(code, sum) == GLSLstd450Fma;
    addends[0] = code_word(code, sum, fused ? 7 : 3);
    addends[1] = fused ? 0 : code_word(code, sum, 4);
}

// Returns whether `sum` reaches the number through phis and sums only.
static bool comes_of(const struct code *code, uint32_t id, uint32_t sum, bool *seen) {
    const uint32_t item = code_definition(code, id);
    uint32_t addends[2];
    if (item == sum) return true;
    if (!item || seen[id]) return false;
    seen[id] = true;
    if (code_op(code, item) == SpvOpPhi)
        for (uint32_t word = 3; word < spirv_length(code_item(code, item)); word += 2)
            if (comes_of(code, code_word(code, item, word), sum, seen)) return true;
    if (!is_sum(code, item)) return false;
    addends_of(code, item, addends);
    return comes_of(code, addends[0], sum, seen) || (addends[1] && comes_of(code, addends[1], sum, seen));
}

static bool is_accumulation(struct arena *arena, const struct code *code, uint32_t item);

// Returns whether the addend is a running total: this sum in the turn before, possibly through memory, or another
// running total.
static bool goes_on(struct arena *arena, const struct code *code, uint32_t sum, uint32_t addend) {
    const uint32_t from = code_definition(code, addend), made = code_op(code, from);
    if (made == SpvOpPhi) return comes_of(code, addend, sum, arena_alloc(arena, code->bound, sizeof(bool)));
    if (made != SpvOpLoad) return from && is_accumulation(arena, code, from);
    for (uint32_t item = code->first_function; item < code->end; item++)
        if (code_op(code, item) == SpvOpStore && code_word(code, item, 2) == code_word(code, sum, 2) &&
            variable_of(code, code_word(code, item, 1)) == variable_of(code, code_word(code, from, 3)))
            return true;
    return false;
}

// Returns whether an item adds to a running total in single precision. Polynomials carry a number from step to step
// too, but as a factor.
static bool is_accumulation(struct arena *arena, const struct code *code, uint32_t item) {
    struct number_type n = code_number(code, code_word(code, item, 1));
    uint32_t addends[2];
    if (!is_sum(code, item) || n.kind != NUMBER_FLOAT || n.width != 32 || code->items[item].is_dead) return false;
    addends_of(code, item, addends);
    return goes_on(arena, code, item, addends[0]) || (addends[1] && goes_on(arena, code, item, addends[1]));
}

// Emits an operation that must not be contracted, folded or reordered.
static uint32_t emit_exactly(
    struct module_change *c, uint32_t item, uint32_t op, uint32_t type, uint32_t x, uint32_t y) {
    const uint32_t result = change_emit(c, INSTEAD, item, op, type, 0, OPERANDS(x, y));
    change_decorate(c, SpvOpDecorate, OPERANDS(result, SpvDecorationNoContraction));
    return result;
}

// Replaces a sum rounded away from zero by the number before it. The error of an addition is a floating-point number
// (D. E. Knuth, The art of computer programming 2, 4.2.2, theorem B).
static uint32_t toward_zero(struct module_change *c, uint32_t item, const struct number_type *n,
    const struct number_type *bits, uint32_t sum, const uint32_t addends[2]) {
    const uint32_t flag = change_vector(c, change_bool(c), n->components);
    const uint32_t y = emit_exactly(c, item, SpvOpFSub, n->type, sum, addends[0]);
    const uint32_t x = emit_exactly(c, item, SpvOpFSub, n->type, sum, y);
    const uint32_t of_y = emit_exactly(c, item, SpvOpFSub, n->type, addends[1], y);
    const uint32_t of_x = emit_exactly(c, item, SpvOpFSub, n->type, addends[0], x);
    const uint32_t error = emit_exactly(c, item, SpvOpFAdd, n->type, of_x, of_y);
    const uint32_t side = emit_exactly(c, item, SpvOpFMul, n->type, error, sum);
    const uint32_t away =
        change_emit(c, INSTEAD, item, SpvOpFOrdLessThan, flag, 0, OPERANDS(side, change_splat(c, n, 0)));
    const uint32_t step = change_emit(c, INSTEAD, item, SpvOpSelect, bits->type, 0,
        OPERANDS(away, change_splat(c, bits, 1), change_splat(c, bits, 0)));
    const uint32_t word = change_emit(c, INSTEAD, item, SpvOpBitcast, bits->type, 0, OPERANDS(sum));
    return change_emit(c, INSTEAD, item, SpvOpISub, bits->type, 0, OPERANDS(word, step));
}

// Rounds to nearest, ties to even, with two bits fewer.
static uint32_t coarsely(
    struct module_change *c, enum side side, uint32_t item, const struct number_type *bits, uint32_t sum) {
    const uint32_t one = change_splat(c, bits, 1), two = change_splat(c, bits, 2);
    const uint32_t word = change_emit(c, side, item, SpvOpBitcast, bits->type, 0, OPERANDS(sum));
    const uint32_t last = change_emit(c, side, item, SpvOpShiftRightLogical, bits->type, 0, OPERANDS(word, two));
    const uint32_t odd = change_emit(c, side, item, SpvOpBitwiseAnd, bits->type, 0, OPERANDS(last, one));
    const uint32_t half = change_emit(c, side, item, SpvOpIAdd, bits->type, 0, OPERANDS(odd, one));
    const uint32_t up = change_emit(c, side, item, SpvOpIAdd, bits->type, 0, OPERANDS(word, half));
    return change_emit(c, side, item, SpvOpBitwiseAnd, bits->type, 0, OPERANDS(up, change_splat(c, bits, 0xfffffffc)));
}

// Rounds one accumulating sum differently. A fused addition becomes a product and a sum.
static void round_sum(struct module_change *c, uint32_t item, bool truncated) {
    struct number_type n = code_number(c->code, code_word(c->code, item, 1));
    const struct number_type bits = bits_of_floats(c, &n);
    uint32_t of[2];
    addends_of(c->code, item, of);
    if (!of[1])
        of[1] = change_emit(
            c, INSTEAD, item, SpvOpFMul, n.type, 0, OPERANDS(code_word(c->code, item, 5), code_word(c->code, item, 6)));
    const uint32_t sum = emit_exactly(c, item, SpvOpFAdd, n.type, of[0], of[1]);
    const uint32_t word = truncated ? toward_zero(c, item, &n, &bits, sum, of) : coarsely(c, INSTEAD, item, &bits, sum);
    change_emit(c, INSTEAD, item, SpvOpBitcast, n.type, code_word(c->code, item, 2), OPERANDS(word));
}

static void coarsen_reduction(struct module_change *c, uint32_t item) {
    struct number_type n = code_number(c->code, code_word(c->code, item, 1));
    const struct number_type bits = bits_of_floats(c, &n);
    const uint32_t result = code_word(c->code, item, 2), inner = change_wrap(c, item);
    change_emit(c, BEHIND, item, SpvOpBitcast, n.type, result, OPERANDS(coarsely(c, BEHIND, item, &bits, inner)));
}

// Returns the first live instruction of the entry point with a source line.
static uint32_t beginning(const struct code *code) {
    uint32_t item = 1, main;
    while (item < code->first_type && code_op(code, item) != SpvOpEntryPoint) item++;
    main = code_word(code, item, 2);
    for (item = code->first_function; item < code->end; item++)
        if (code_op(code, item) == SpvOpFunction && code_word(code, item, 2) == main) break;
    for (; item < code->end; item++) {
        const uint32_t op = code_op(code, item);
        const bool is_statement =
            op != SpvOpLine && op != SpvOpNoLine && op != SpvOpLabel && op != SpvOpPhi && op != SpvOpVariable;
        if (code->items[item].line && !code->items[item].is_dead && is_statement) break;
    }
    return item;
}

// Changes all sums at once, like arithmetic with this rounding. A change of a single sum would mostly vanish in the
// later ones. The change is placed where every invocation passes, because some of the sums may run only for rare
// sizes. A sum over a subgroup is not truncated, because its errors, and so the direction of its rounding, are lost.
static bool round_sums(struct module_change *c, uint32_t at, int way, bool truncated) {
    bool changed = false;
    if (way || at != beginning(c->code)) return false;
    for (uint32_t item = c->code->first_function; item < c->code->end; item++) {
        const struct number_type n = code_number(c->code, code_word(c->code, item, 1));
        const bool is_float = n.kind == NUMBER_FLOAT && n.width == 32;
        const bool added = is_accumulation(c->arena, c->code, item);
        const bool reduced = !truncated && is_float && code_op(c->code, item) == SpvOpGroupNonUniformFAdd;
        if (added) round_sum(c, item, truncated);
        if (reduced) coarsen_reduction(c, item);
        changed |= added || reduced;
    }
    return changed;
}

static bool sums_truncated(struct module_change *c, uint32_t item, int way) {
    change_tell(c, "all sums were rounded towards zero");
    return round_sums(c, item, way, true);
}

static bool sums_coarse(struct module_change *c, uint32_t item, int way) {
    change_tell(c, "all sums were rounded to two bits less");
    return round_sums(c, item, way, false);
}

// Cuts a product to 10 bits of mantissa, imitating factors of 10 bits.
static bool product_truncated(struct module_change *c, uint32_t item, int way) {
    uint32_t op = code_op(c->code, item);
    if (way || (op != SpvOpFMul && op != SpvOpVectorTimesScalar)) return false;
    struct number_type n = code_number(c->code, code_word(c->code, item, 1));
    if (n.kind != NUMBER_FLOAT || n.width != 32) return false;
    const struct number_type bits = bits_of_floats(c, &n);
    uint32_t inner = change_wrap(c, item);
    uint32_t word = change_emit(c, BEHIND, item, SpvOpBitcast, bits.type, 0, OPERANDS(inner));
    uint32_t cut =
        change_emit(c, BEHIND, item, SpvOpBitwiseAnd, bits.type, 0, OPERANDS(word, change_splat(c, &bits, 0xffffe000)));
    change_emit(c, BEHIND, item, SpvOpBitcast, n.type, code_word(c->code, item, 2), OPERANDS(cut));
    change_tell(c, "a product was cut to 10 bits of mantissa");
    return true;
}

// Returns the word of a sum's nth operand that is a product, counted from 1; 0: none.
static uint32_t product_word(const struct code *code, uint32_t item, int nth) {
    uint32_t op = code_op(code, item);
    for (uint32_t word = 3; (op == SpvOpFAdd || op == SpvOpFSub) && word <= 4; word++)
        if (code_defined_by(code, code_word(code, item, word)) == SpvOpFMul && --nth == 0) return word;
    return 0;
}

// Clears the low 12 bits. The product of two such numbers is exact.
static uint32_t high_part(struct module_change *c, uint32_t item, const struct number_type *n, uint32_t value) {
    const struct number_type bits = bits_of_floats(c, n);
    uint32_t word = change_emit(c, BEHIND, item, SpvOpBitcast, bits.type, 0, OPERANDS(value));
    word =
        change_emit(c, BEHIND, item, SpvOpBitwiseAnd, bits.type, 0, OPERANDS(word, change_splat(c, &bits, 0xfffff000)));
    return change_emit(c, BEHIND, item, SpvOpBitcast, n->type, 0, OPERANDS(word));
}

static uint32_t behind(
    struct module_change *c, uint32_t item, uint32_t op, const struct number_type *n, uint32_t a, uint32_t b) {
    return change_emit(c, BEHIND, item, op, n->type, 0, OPERANDS(a, b));
}

// Emits the rounding error of a product (T. J. Dekker, Numerische Mathematik 18, 1971); 0 if this is not finite.
static uint32_t product_error(struct module_change *c, uint32_t item, const struct number_type *n, uint32_t product) {
    uint32_t from = code_definition(c->code, product), a = code_word(c->code, from, 3), b = code_word(c->code, from, 4);
    uint32_t a_high = high_part(c, item, n, a), a_low = behind(c, item, SpvOpFSub, n, a, a_high);
    uint32_t b_high = high_part(c, item, n, b), b_low = behind(c, item, SpvOpFSub, n, b, b_high);
    uint32_t error = behind(c, item, SpvOpFSub, n, behind(c, item, SpvOpFMul, n, a_high, b_high), product);
    error = behind(c, item, SpvOpFAdd, n, error, behind(c, item, SpvOpFMul, n, a_high, b_low));
    error = behind(c, item, SpvOpFAdd, n, error, behind(c, item, SpvOpFMul, n, a_low, b_high));
    error = behind(c, item, SpvOpFAdd, n, error, behind(c, item, SpvOpFMul, n, a_low, b_low));
    uint32_t zero = change_splat(c, n, 0), none = behind(c, item, SpvOpFSub, n, error, error);
    uint32_t flags = change_vector(c, change_bool(c), n->components);
    uint32_t finite = change_emit(c, BEHIND, item, SpvOpFOrdEqual, flags, 0, OPERANDS(none, zero));
    return change_emit(c, BEHIND, item, SpvOpSelect, n->type, 0, OPERANDS(finite, error, zero));
}

// Adds the unrounded product to a sum. An fma is not used, because drivers of CPUs round twice in it.
static bool contract(struct module_change *c, uint32_t item, int nth) {
    uint32_t op = code_op(c->code, item), word = product_word(c->code, item, nth), result = code_word(c->code, item, 2);
    struct number_type n = code_number(c->code, code_word(c->code, item, 1));
    if (!word || n.kind != NUMBER_FLOAT || n.width != 32) return false;
    uint32_t product = code_word(c->code, item, word), sum = change_wrap(c, item);
    uint32_t error = product_error(c, item, &n, product);
    bool subtracted = op == SpvOpFSub && word == 4;
    change_emit(c, BEHIND, item, subtracted ? SpvOpFSub : SpvOpFAdd, n.type, result, OPERANDS(sum, error));
    change_tell(c, "`%s` took its product unrounded, as an fma does", op == SpvOpFAdd ? "+" : "-");
    return true;
}

// Way 0 drops the decoration; the driver's code may stay the same. Further ways imitate a compiler that contracts.
static bool contraction(struct module_change *c, uint32_t item, int way) {
    if (!code_has_result(code_op(c->code, item)) || code_op(c->code, item) == SpvOpLabel) return false;
    uint32_t result = code_word(c->code, item, 2);
    uint32_t decoration = result < c->code->bound ? c->code->ids[result].no_contraction : 0;
    if (!decoration) return false;
    if (way) return contract(c, item, way);
    change_remove(c, decoration);
    change_tell(c, "`precise` was dropped");
    return true;
}

const struct mutation mutations_precision[] = {
    {"precision.sum_half", "a sum in half precision", sum_half},
    {"precision.sums_truncated", "truncated sums", sums_truncated},
    {"precision.sums_coarse", "sums with two bits less", sums_coarse},
    {"precision.product_truncated", "a product of fewer bits, as in tensor units", product_truncated},
    {"precision.contraction", "a compiler that contracts a `precise` product", contraction},
    {NULL, NULL, NULL},
};
