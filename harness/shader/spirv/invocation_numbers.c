// SPDX-License-Identifier: Apache-2.0
#include "invocation_numbers.h"

#include "../../base/memory.h"
#include "spirv.h"

#include <stdlib.h>

enum { MOST_STEPS = 200, MOST_NESTED = 16 };
static const uint32_t several = UINT32_MAX;

static struct value value_of(struct invocation_numbers *n, uint32_t id);

static struct value known(uint32_t bits) {
    return (struct value){true, bits};
}

static const uint32_t *defined(const struct invocation_numbers *n, uint32_t id) {
    return id < n->m->bound && n->defined_at[id] ? &n->m->words[n->defined_at[id]] : NULL;
}

static struct value spec_constant(const struct invocation_numbers *n, uint32_t id, uint32_t standard) {
    const struct id *of = &n->m->ids[id];
    for (int i = 0; of->has_spec && i < n->setting->constant_count; i++)
        if (n->setting->constants[i].id == of->spec) return known(n->setting->constants[i].value);
    return known(standard);
}

// Returns the only object stored in a variable, or in a parameter's target; 0: there is none, or it is unknown.
static uint32_t stored_at(const struct invocation_numbers *n, uint32_t pointer) {
    for (int i = 0; i < MOST_NESTED && pointer < n->m->bound && n->given[pointer]; i++) {
        if (n->stored[pointer]) return 0;
        pointer = n->given[pointer];
    }
    return pointer < n->m->bound && n->stored[pointer] != several ? n->stored[pointer] : 0;
}

// Returns component `at` of a vector.
static struct value component(struct invocation_numbers *n, uint32_t id, uint32_t at) {
    if (++n->steps > MOST_STEPS) return (struct value){0};
    if (id < n->m->bound && n->given[id]) return component(n, n->given[id], at);
    const uint32_t *i = defined(n, id);
    if (!i || at > 2) return (struct value){0};
    if (n->built_in[id] == SpvBuiltInWorkgroupSize + 1) return known(n->setting->size[at]);
    const uint32_t op = spirv_op(i);
    const bool is_composite =
        op == SpvOpCompositeConstruct || op == SpvOpConstantComposite || op == SpvOpSpecConstantComposite;
    if (is_composite && spirv_length(i) > 3 + at) return value_of(n, i[3 + at]);
    if (op != SpvOpLoad || spirv_length(i) < 4 || i[3] >= n->m->bound) return (struct value){0};
    if (n->built_in[i[3]] == SpvBuiltInLocalInvocationId + 1) return known(n->place[at]);
    const uint32_t stored = stored_at(n, i[3]);
    return stored ? component(n, stored, at) : (struct value){0};
}

static struct value loaded(struct invocation_numbers *n, uint32_t pointer) {
    const uint32_t *chain = defined(n, pointer), stored = stored_at(n, pointer);
    if (stored) return value_of(n, stored);
    if (!chain) return (struct value){0};
    if (n->built_in[pointer] == SpvBuiltInLocalInvocationIndex + 1) return known(n->index);
    if (spirv_op(chain) != SpvOpAccessChain || spirv_length(chain) != 5 || chain[3] >= n->m->bound ||
        n->built_in[chain[3]] != SpvBuiltInLocalInvocationId + 1)
        return (struct value){0};
    const struct value at = value_of(n, chain[4]);
    return at.known && at.bits < 3 ? known(n->place[at.bits]) : at;
}

// Returns the value of a loop header's phi on entry to the loop.
static struct value first_of(struct invocation_numbers *n, const uint32_t *phi) {
    uint32_t from = 0;
    for (uint32_t word = 3; word + 1 < spirv_length(phi); word += 2) {
        const uint32_t label = phi[word + 1];
        if (label >= n->m->bound || &n->m->words[n->label_at[label]] > phi) continue;
        if (from) return (struct value){0};
        from = phi[word];
    }
    return from ? value_of(n, from) : (struct value){0};
}

static struct value computed(uint32_t op, uint32_t a, uint32_t b) {
    const int32_t x = (int32_t)a, y = (int32_t)b;
    switch (op) {
    case SpvOpIAdd:
        return known(a + b);
    case SpvOpISub:
        return known(a - b);
    case SpvOpIMul:
        return known(a * b);
    case SpvOpUDiv:
        return b ? known(a / b) : (struct value){0};
    case SpvOpSDiv:
        return y > 0 ? known((uint32_t)(x / y)) : (struct value){0};
    case SpvOpUMod:
        return b ? known(a % b) : (struct value){0};
    case SpvOpSRem:
        return y > 0 ? known((uint32_t)(x % y)) : (struct value){0};
    case SpvOpShiftRightLogical:
        return b < 32 ? known(a >> b) : (struct value){0};
    case SpvOpShiftLeftLogical:
        return b < 32 ? known(a << b) : (struct value){0};
    case SpvOpBitwiseAnd:
    case SpvOpLogicalAnd:
        return known(a & b);
    case SpvOpBitwiseOr:
    case SpvOpLogicalOr:
        return known(a | b);
    case SpvOpBitwiseXor:
        return known(a ^ b);
    case SpvOpIEqual:
    case SpvOpLogicalEqual:
        return known(a == b);
    case SpvOpINotEqual:
    case SpvOpLogicalNotEqual:
        return known(a != b);
    case SpvOpULessThan:
        return known(a < b);
    case SpvOpULessThanEqual:
        return known(a <= b);
    case SpvOpUGreaterThan:
        return known(a > b);
    case SpvOpUGreaterThanEqual:
        return known(a >= b);
    case SpvOpSLessThan:
        return known(x < y);
    case SpvOpSLessThanEqual:
        return known(x <= y);
    case SpvOpSGreaterThan:
        return known(x > y);
    case SpvOpSGreaterThanEqual:
        return known(x >= y);
    default:
        return (struct value){0};
    }
}

static struct value of_two(struct invocation_numbers *n, uint32_t op, const uint32_t *operands) {
    const struct value a = value_of(n, operands[0]), b = value_of(n, operands[1]);
    return a.known && b.known ? computed(op, a.bits, b.bits) : (struct value){0};
}

static struct value chosen(struct invocation_numbers *n, const uint32_t *operands) {
    const struct value by = value_of(n, operands[0]);
    return by.known ? value_of(n, operands[by.bits ? 1 : 2]) : by;
}

static struct value opposite(struct value of) {
    return of.known ? known(!of.bits) : of;
}

static struct value result_of(struct invocation_numbers *n, uint32_t op, const uint32_t *operands, uint32_t count) {
    switch (op) {
    case SpvOpCompositeExtract:
        return count == 2 ? component(n, operands[0], operands[1]) : (struct value){0};
    case SpvOpCopyObject:
    case SpvOpBitcast:
        return count == 1 ? value_of(n, operands[0]) : (struct value){0};
    case SpvOpLogicalNot:
        return count == 1 ? opposite(value_of(n, operands[0])) : (struct value){0};
    case SpvOpSelect:
        return count == 3 ? chosen(n, operands) : (struct value){0};
    default:
        return count == 2 ? of_two(n, op, operands) : (struct value){0};
    }
}

// Returns a number of 32 bits or a condition; everything else is unknown.
static struct value value_of(struct invocation_numbers *n, uint32_t id) {
    if (++n->steps > MOST_STEPS) return (struct value){0};
    if (id < n->m->bound && n->given[id]) return value_of(n, n->given[id]);
    const uint32_t *i = defined(n, id);
    if (!i) return (struct value){0};
    const uint32_t op = spirv_op(i), length = spirv_length(i);
    switch (op) {
    case SpvOpConstant:
        return length == 4 ? known(i[3]) : (struct value){0};
    case SpvOpSpecConstant:
        return length == 4 ? spec_constant(n, id, i[3]) : (struct value){0};
    case SpvOpConstantTrue:
    case SpvOpConstantFalse:
        return known(op == SpvOpConstantTrue);
    case SpvOpSpecConstantTrue:
    case SpvOpSpecConstantFalse:
        return spec_constant(n, id, op == SpvOpSpecConstantTrue);
    case SpvOpSpecConstantOp:
        return length > 4 ? result_of(n, i[3], &i[4], length - 4) : (struct value){0};
    case SpvOpLoad:
        return length > 3 ? loaded(n, i[3]) : (struct value){0};
    case SpvOpPhi:
        return first_of(n, i);
    default:
        return length > 3 ? result_of(n, op, &i[3], length - 3) : (struct value){0};
    }
}

// ---- the places of definitions

// Notes a store. Storing a part changes the whole.
static void note_store(struct invocation_numbers *n, uint32_t pointer, uint32_t object) {
    bool part = false;
    for (int steps = 0; steps < MOST_NESTED; steps++) {
        const uint32_t *chain = defined(n, pointer);
        if (!chain || spirv_op(chain) != SpvOpAccessChain || spirv_length(chain) < 4) break;
        pointer = chain[3];
        part = true;
    }
    if (pointer < n->m->bound) n->stored[pointer] = part || n->stored[pointer] ? several : object;
}

static void note(struct invocation_numbers *n, const uint32_t *i, size_t at) {
    const uint32_t op = spirv_op(i), length = spirv_length(i), bound = n->m->bound;
    const bool has_value = // after a type
        (op >= SpvOpConstantTrue && op <= SpvOpSpecConstantOp) || op == SpvOpVariable || op == SpvOpLoad ||
        op == SpvOpAccessChain || (op >= SpvOpVectorExtractDynamic && op <= SpvOpTranspose) ||
        (op >= SpvOpConvertFToU && op <= SpvOpBitCount) || op == SpvOpPhi;
    n->has_barrier |= op == SpvOpControlBarrier;
    if (op == SpvOpDecorate && length > 3 && i[2] == SpvDecorationBuiltIn && i[1] < bound)
        n->built_in[i[1]] = i[3] + 1;
    else if (op == SpvOpLabel && length > 1 && i[1] < bound)
        n->label_at[i[1]] = (uint32_t)at;
    else if (op == SpvOpStore && length > 2)
        note_store(n, i[1], i[2]);
    else if (op == SpvOpVariable && length > 4 && i[2] < bound)
        n->stored[i[2]] = several;
    else if (has_value && length > 2 && i[2] < bound)
        n->defined_at[i[2]] = (uint32_t)at;
}

struct invocation_numbers numbers_open(const struct module *module, const struct barrier_setting *setting) {
    const size_t bound = module->bound;
    uint32_t *marks = memory_alloc(bound * 5, sizeof *marks);
    struct invocation_numbers n = {.m = module,
        .setting = setting,
        .built_in = marks,
        .stored = marks + bound,
        .label_at = marks + 2 * bound,
        .defined_at = marks + 3 * bound,
        .given = marks + 4 * bound};
    for (size_t at = 0; spirv_next(module->words, module->count, &at);) note(&n, &module->words[at], at);
    return n;
}

void numbers_close(struct invocation_numbers *n) {
    free(n->built_in);
    *n = (struct invocation_numbers){0};
}

struct value numbers_of(struct invocation_numbers *n, uint32_t id) {
    n->steps = 0;
    return value_of(n, id);
}

void numbers_give(struct invocation_numbers *n, uint32_t parameter, uint32_t argument) {
    if (parameter >= n->m->bound || argument >= n->m->bound) return;
    if (n->stored[parameter]) n->stored[argument] = several;
    n->given[parameter] = argument == parameter ? 0 : argument;
}
