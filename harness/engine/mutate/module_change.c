// SPDX-License-Identifier: Apache-2.0
#include "module_change.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct module_change change_start(struct arena *arena, const struct code *code) {
    return (struct module_change){.arena = arena, .code = code, .bound = code->bound};
}

void change_tell(struct module_change *c, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(c->summary, sizeof c->summary, format, args);
    va_end(args);
}

static uint32_t head(uint32_t op, size_t words) {
    return (uint32_t)words << SpvWordCountShift | op;
}

static void add_words(struct module_change *c, struct words *to, const uint32_t *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        to->items = arena_grow(c->arena, to->items, to->count, &to->capacity, sizeof *to->items);
        to->items[to->count++] = words[i];
    }
}

static void add_patch(struct module_change *c, enum side side, uint32_t item, const uint32_t *words, size_t count) {
    c->patches = arena_grow(c->arena, c->patches, c->patch_count, &c->patch_capacity, sizeof *c->patches);
    c->patches[c->patch_count++] = (struct patch){item, side, words, count};
}

// Keeps a merge instruction and the end of its block together.
static uint32_t before_merge(const struct code *code, uint32_t item) {
    if (!code_ends_block(code_op(code, item))) return item;
    for (uint32_t at = item - 1; at > code->items[item].block; at--) {
        uint32_t op = code_op(code, at);
        if (op == SpvOpSelectionMerge || op == SpvOpLoopMerge) return at;
        if (op != SpvOpLine && op != SpvOpNoLine) break;
    }
    return item;
}

uint32_t change_emit(struct module_change *c, enum side side, uint32_t item, uint32_t op, uint32_t type,
    uint32_t result, const uint32_t *operands, size_t count) {
    uint32_t *words = arena_alloc(c->arena, count + 3, sizeof *words);
    words[0] = head(op, count + 3);
    words[1] = type;
    words[2] = result ? result : c->bound++;
    if (count) memcpy(&words[3], operands, count * sizeof *words);
    add_patch(c, side, side == BEFORE ? before_merge(c->code, item) : item, words, count + 3);
    return words[2];
}

void change_put(
    struct module_change *c, enum side side, uint32_t item, uint32_t op, const uint32_t *operands, size_t count) {
    uint32_t *words = arena_alloc(c->arena, count + 1, sizeof *words);
    words[0] = head(op, count + 1);
    if (count) memcpy(&words[1], operands, count * sizeof *words);
    add_patch(c, side, side == BEFORE ? before_merge(c->code, item) : item, words, count + 1);
}

void change_remove(struct module_change *c, uint32_t item) {
    add_patch(c, INSTEAD, item, NULL, 0);
}

void change_remake(struct module_change *c, uint32_t item, uint32_t op, const uint32_t *operands, size_t count) {
    const uint32_t *old = code_item(c->code, item);
    change_emit(c, INSTEAD, item, op, old[1], old[2], operands, count);
}

void change_word(struct module_change *c, uint32_t item, uint32_t word, uint32_t value) {
    const uint32_t *old = code_item(c->code, item), length = spirv_length(old);
    uint32_t *words = memcpy(arena_alloc(c->arena, length, sizeof *words), old, length * sizeof *words);
    if (word < length) words[word] = value;
    add_patch(c, INSTEAD, item, words, length);
}

uint32_t change_wrap(struct module_change *c, uint32_t item) {
    uint32_t inner = c->bound++, result = code_word(c->code, item, 2);
    change_word(c, item, 2, inner);
    if (c->code->ids[result].no_contraction)
        change_decorate(c, SpvOpDecorate, OPERANDS(inner, SpvDecorationNoContraction));
    return inner;
}

// ---- declarations

// Returns whether the instruction has this opcode and these operands; its result, at word `at`, is ignored.
static bool same_declaration(const uint32_t *i, uint32_t op, uint32_t at, const uint32_t *operands, size_t count) {
    if (i[0] != head(op, count + 2)) return false;
    for (uint32_t word = 1, k = 0; word < count + 2; word++)
        if (word != at && i[word] != operands[k++]) return false;
    return true;
}

uint32_t change_declare(struct module_change *c, uint32_t op, uint32_t at, const uint32_t *operands, size_t count) {
    uint32_t result = c->bound++, first = head(op, count + 2);
    add_words(c, &c->declared, &first, 1);
    for (uint32_t word = 1, k = 0; word < count + 2; word++)
        add_words(c, &c->declared, word == at ? &result : &operands[k++], 1);
    return result;
}

static uint32_t declared(struct module_change *c, uint32_t op, uint32_t at, const uint32_t *operands, size_t count) {
    for (uint32_t item = c->code->first_type; item < c->code->first_function; item++) {
        const uint32_t *i = code_item(c->code, item);
        if (!same_declaration(i, op, at, operands, count)) continue;
        if (op != SpvOpConstant || !c->code->ids[i[at]].tunable) return i[at];
    }
    for (size_t k = 0; k < c->declared.count; k += spirv_length(&c->declared.items[k]))
        if (same_declaration(&c->declared.items[k], op, at, operands, count)) return c->declared.items[k + at];
    return change_declare(c, op, at, operands, count);
}

uint32_t change_int(struct module_change *c, uint32_t width, bool is_signed) {
    return declared(c, SpvOpTypeInt, 1, OPERANDS(width, is_signed));
}

uint32_t change_bool(struct module_change *c) {
    return declared(c, SpvOpTypeBool, 1, NULL, 0);
}

uint32_t change_vector(struct module_change *c, uint32_t scalar, uint32_t components) {
    return components == 1 ? scalar : declared(c, SpvOpTypeVector, 1, OPERANDS(scalar, components));
}

uint32_t change_pointer(struct module_change *c, uint32_t storage_class, uint32_t type) {
    return declared(c, SpvOpTypePointer, 1, OPERANDS(storage_class, type));
}

uint32_t change_flag(struct module_change *c, bool value) {
    return declared(c, value ? SpvOpConstantTrue : SpvOpConstantFalse, 2, OPERANDS(change_bool(c)));
}

uint32_t change_constant(struct module_change *c, uint32_t type, uint32_t width, uint64_t bits) {
    uint32_t low = (uint32_t)bits, high = (uint32_t)(bits >> 32);
    return width > 32 ? declared(c, SpvOpConstant, 2, OPERANDS(type, low, high))
                      : declared(c, SpvOpConstant, 2, OPERANDS(type, low));
}

uint32_t change_splat(struct module_change *c, const struct number_type *n, uint64_t bits) {
    uint32_t one = change_constant(c, n->scalar, n->width, bits), operands[17] = {n->type};
    if (n->components == 1 || n->components > 16) return one;
    for (uint32_t i = 0; i < n->components; i++) operands[1 + i] = one;
    return declared(c, SpvOpConstantComposite, 2, operands, n->components + 1);
}

void change_decorate(struct module_change *c, uint32_t op, const uint32_t *operands, size_t count) {
    uint32_t first = head(op, count + 1);
    add_words(c, &c->decorations, &first, 1);
    add_words(c, &c->decorations, operands, count);
}

// ---- the new module

static void put_side(const struct module_change *c, struct module_change *out, struct words *to, enum side side,
    uint32_t item, bool *instead) {
    for (size_t i = 0; i < c->patch_count; i++) {
        const struct patch *patch = &c->patches[i];
        if (patch->item != item || patch->side != side) continue;
        if (instead) *instead = true;
        add_words(out, to, patch->words, patch->count);
    }
}

bool change_finish(const struct module_change *c, uint32_t **words, size_t *count) {
    struct module_change out = {.arena = c->arena};
    struct words to = {0};
    if (c->bound > SPIRV_MOST_IDS) return false;
    to.items = arena_alloc(c->arena, c->code->count + 1024, sizeof *to.items);
    to.capacity = c->code->count + 1024;
    add_words(&out, &to, c->code->words, SPIRV_HEADER);
    to.items[SPIRV_BOUND] = c->bound;
    for (uint32_t item = 1; item < c->code->end; item++) {
        bool instead = false;
        if (item == c->code->first_type) add_words(&out, &to, c->decorations.items, c->decorations.count);
        if (item == c->code->first_function) add_words(&out, &to, c->declared.items, c->declared.count);
        put_side(c, &out, &to, BEFORE, item, NULL);
        put_side(c, &out, &to, INSTEAD, item, &instead);
        if (!instead) add_words(&out, &to, code_item(c->code, item), spirv_length(code_item(c->code, item)));
        put_side(c, &out, &to, BEHIND, item, NULL);
    }
    *words = to.items;
    *count = to.count;
    return true;
}
