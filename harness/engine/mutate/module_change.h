// SPDX-License-Identifier: Apache-2.0
// A change of a module: instructions before, instead of and after existing ones, with the types and constants they
// need. The rest of the module stays as it is, word for word.
#ifndef VKASSAY_MUTATE_MODULE_CHANGE_H
#define VKASSAY_MUTATE_MODULE_CHANGE_H

#include "code.h"

enum side { BEFORE, INSTEAD, BEHIND };

enum { CHANGE_SUMMARY = 120 };
struct words {
    uint32_t *items;
    size_t count, capacity;
};
struct module_change {
    struct arena *arena;
    const struct code *code;
    uint32_t bound;
    struct patch {
        uint32_t item;
        enum side side;
        const uint32_t *words;
        size_t count;
    } * patches; // in order of creation
    size_t patch_count, patch_capacity;
    struct words declared, decorations;
    char summary[CHANGE_SUMMARY]; // "`<` became `<=`"
};

struct module_change change_start(struct arena *arena, const struct code *code);
// Builds the new module; false: it would have too many ids.
bool change_finish(const struct module_change *change, uint32_t **words, size_t *count);

void change_tell(struct module_change *change, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Expands to an array of operands and its length, as the functions below take them.
#define OPERANDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)

// Adds an instruction with a result and returns its id: `result`, or a new id if that is 0. An instruction put BEFORE
// the end of a block also precedes the block's merge instruction.
uint32_t change_emit(struct module_change *change, enum side side, uint32_t item, uint32_t op, uint32_t type,
    uint32_t result, const uint32_t *operands, size_t count);
// Adds an instruction without a result.
void change_put(
    struct module_change *change, enum side side, uint32_t item, uint32_t op, const uint32_t *operands, size_t count);
void change_remove(struct module_change *change, uint32_t item);
// Replaces the opcode and the operands of an instruction. Its type and result stay.
void change_remake(struct module_change *change, uint32_t item, uint32_t op, const uint32_t *operands, size_t count);
// Replaces a word of an instruction.
void change_word(struct module_change *change, uint32_t item, uint32_t word, uint32_t value);
// Gives the instruction a new result and returns it. An instruction emitted with the old result, code_word(item, 2),
// then takes its place.
uint32_t change_wrap(struct module_change *change, uint32_t item);

// Return types and constants, existing or new ones.
uint32_t change_int(struct module_change *change, uint32_t width, bool is_signed);
uint32_t change_bool(struct module_change *change);
uint32_t change_vector(struct module_change *change, uint32_t scalar, uint32_t components); // 1: the scalar itself
uint32_t change_pointer(struct module_change *change, uint32_t storage_class, uint32_t type);
uint32_t change_flag(struct module_change *change, bool value);
uint32_t change_constant(struct module_change *change, uint32_t type, uint32_t width, uint64_t bits);
// Returns a constant with this number in all components.
uint32_t change_splat(struct module_change *change, const struct number_type *number, uint64_t bits);
// Appends a declaration. Its result is put at word `at`.
uint32_t change_declare(struct module_change *change, uint32_t op, uint32_t at, const uint32_t *operands, size_t count);
// Adds an annotation: OpDecorate or OpMemberDecorate.
void change_decorate(struct module_change *change, uint32_t op, const uint32_t *operands, size_t count);

#endif
