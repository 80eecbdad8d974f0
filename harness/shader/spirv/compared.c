// SPDX-License-Identifier: Apache-2.0
#include "analyses.h"

#include "invocation_numbers.h"

#include <math.h>
#include <string.h>

// Numbers of the extended instructions in GLSL.std.450.
enum { GLSL_UMIN = 38, GLSL_SMIN = 39, GLSL_UMAX = 41, GLSL_SMAX = 42, GLSL_UCLAMP = 44, GLSL_SCLAMP = 45 };

struct comparing {
    struct invocation_numbers numbers;
    struct numbers_wanted wanted;
    uint32_t *items;
    int count;
};

// Makes room for a number larger than the least one, if the largest are wanted.
static bool make_room(struct comparing *c, uint32_t number) {
    if (c->count < COMPARED_NUMBERS) return true;
    if (!c->wanted.declared || number <= c->items[0]) return false;
    memmove(c->items, c->items + 1, (size_t)--c->count * sizeof *c->items);
    return true;
}

static void keep(struct comparing *c, uint32_t number) {
    int at = 0;
    if (number < c->wanted.least || number > c->wanted.most) return;
    for (int i = 0; i < c->count; i++)
        if (c->items[i] == number) return;
    if (!make_room(c, number)) return;
    while (at < c->count && c->items[at] < number) at++;
    memmove(c->items + at + 1, c->items + at, (size_t)(c->count - at) * sizeof *c->items);
    c->items[at] = number;
    c->count++;
}

static void keep_operand(struct comparing *c, uint32_t id) {
    const struct value value = numbers_of(&c->numbers, id);
    if (value.known) keep(c, value.bits);
}

// Keeps the power of two by which a shift divides.
static void keep_shift(struct comparing *c, uint32_t id) {
    const struct value value = numbers_of(&c->numbers, id);
    if (value.known && value.bits < 32) keep(c, UINT32_C(1) << value.bits);
}

// Keeps the number by which a mask of low bits divides.
static void keep_mask(struct comparing *c, uint32_t id) {
    const struct value value = numbers_of(&c->numbers, id);
    if (value.known && value.bits != UINT32_MAX && (value.bits & (value.bits + 1)) == 0) keep(c, value.bits + 1);
}

// The operations that compare or divide, by ranges of their codes, with the operands to keep.
static const struct look {
    SpvOp first, last;
    void (*keep)(struct comparing *, uint32_t id);
    uint32_t word, end; // of the operands
} looks[] = {
    {SpvOpIEqual, SpvOpSLessThanEqual, keep_operand, 3, 5},
    {SpvOpUDiv, SpvOpSDiv, keep_operand, 4, 5},
    {SpvOpUMod, SpvOpSMod, keep_operand, 4, 5},
    {SpvOpShiftRightLogical, SpvOpShiftRightArithmetic, keep_shift, 4, 5},
    {SpvOpBitwiseAnd, SpvOpBitwiseAnd, keep_mask, 3, 5},
};

static void look_at(struct comparing *c, const uint32_t *i) {
    const uint32_t length = spirv_length(i), op = spirv_op(i);
    if (length < 5) return;
    for (const struct look *look = looks; look < looks + sizeof looks / sizeof *looks; look++)
        for (uint32_t word = look->word; op >= look->first && op <= look->last && word < look->end; word++)
            look->keep(c, i[word]);
    const bool is_bound = i[4] == GLSL_UMIN || i[4] == GLSL_SMIN || i[4] == GLSL_UMAX || i[4] == GLSL_SMAX ||
                          i[4] == GLSL_UCLAMP || i[4] == GLSL_SCLAMP;
    for (uint32_t word = 5; op == SpvOpExtInst && is_bound && word < length; word++) keep_operand(c, i[word]);
}

// Keeps a constant of the module: a whole number of 32 or 64 bits, or a float with a whole value.
static void keep_declared(struct comparing *c, const uint32_t *i) {
    const uint32_t op = spirv_op(i), length = spirv_length(i);
    if ((op != SpvOpConstant && op != SpvOpSpecConstant && op != SpvOpSpecConstantOp) || length < 4) return;
    if (!module_defined(c->numbers.m, i[1], SpvOpTypeFloat, 3)) {
        keep_operand(c, i[2]);
        if (op == SpvOpConstant && length == 5 && i[4] == 0) keep(c, i[3]);
        return;
    }
    float value;
    memcpy(&value, &i[3], sizeof value);
    if (op == SpvOpConstant && length == 4 && value >= 0 && value < (float)c->wanted.most && value == floorf(value))
        keep(c, (uint32_t)value);
}

int numbers_compared(const uint32_t *words, size_t count, const struct barrier_setting *setting,
    const struct numbers_wanted *wanted, uint32_t numbers[COMPARED_NUMBERS]) {
    struct module module;
    struct error err;
    struct comparing c = {.wanted = *wanted, .items = numbers};
    if (!module_open(&module, words, count, &err)) {
        module_close(&module);
        return 0;
    }
    c.numbers = numbers_open(&module, setting);
    for (size_t at = 0; wanted->declared && spirv_next(words, module.declarations, &at);) keep_declared(&c, &words[at]);
    // Without a function, the declarations end with the words.
    for (size_t at = module.declarations; at < count && spirv_next(words, count, &at);) look_at(&c, &words[at]);
    numbers_close(&c.numbers);
    module_close(&module);
    return c.count;
}
