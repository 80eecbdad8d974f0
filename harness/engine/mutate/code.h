// SPDX-License-Identifier: Apache-2.0
// A SPIR-V module as a list of instructions with their source lines, and the definitions of its ids. Mutations work
// on this form. The module must be valid (spirv/spirv_tools.h). Even for an invalid one, nothing outside its words is
// read.
#ifndef VKASSAY_MUTATE_CODE_H
#define VKASSAY_MUTATE_CODE_H

#include "../../base/arena.h"
#include "../../base/error.h"
#include "../../shader/spirv/spirv.h"

struct instruction {
    uint32_t at;         // index of its first word
    uint32_t file, line; // from the last OpLine in its function; file is the id of an OpString; 0: none
    bool is_dead;        // nothing kept depends on it; compilers with debug lines leave copies behind
    uint32_t block;      // item of its block's OpLabel; 0: in no block
};

// Definition of an id. item 0: nothing defines it.
struct definition {
    uint32_t item, type;
    uint32_t built_in;       // 1 + the number of the built-in variable; 0: none
    uint32_t no_contraction; // item of that decoration; 0: none
    uint32_t set, binding;   // of a variable
    uint32_t tunable;        // 1 + the number of its specialization constant; 0: none
    uint32_t uses, stores;   // operands in live code that name it; how many of them are targets of OpStore
};

// Facts about a module from its manifest.
enum { CODE_PARAMETERS = 24, CODE_TUNABLES = 12 };
struct code_interface {
    struct code_parameter { // 4-byte words of the push constants, or of the uniform block
        const char *name;
        bool has_standard, integer; // parameters have a default, dims have none
        double standard;
    } parameters[CODE_PARAMETERS];
    int parameter_count;
    struct code_tunable {
        uint32_t id; // of the specialization constant
        const char *name;
        const int64_t *values;
        int count;
        int64_t value; // the module is built with it
    } tunables[CODE_TUNABLES];
    int tunable_count;
};

struct code {
    const uint32_t *words;
    size_t count;
    uint32_t bound, glsl;      // id of GLSL.std.450; 0: not imported
    struct instruction *items; // in the arena; the first is at index 1
    uint32_t end;              // one past the last item
    uint32_t first_type, first_function;
    struct definition *ids; // in the arena, `bound` of them
    const struct code_interface *interface;
};

// Parses a module. STATUS_BAD_INPUT: the words are not SPIR-V, or are damaged.
bool code_read(struct arena *arena, const uint32_t *words, size_t count, const struct code_interface *interface,
    struct code *out, struct error *err);

static inline const uint32_t *code_item(const struct code *code, uint32_t item) {
    return &code->words[code->items[item].at];
}
static inline uint32_t code_op(const struct code *code, uint32_t item) {
    return spirv_op(code_item(code, item));
}
// Returns a word of an instruction; 0 beyond its end.
uint32_t code_word(const struct code *code, uint32_t item, uint32_t word);
// Returns whether an instruction in code has a type in word 1 and a result in word 2. Nearly all do.
static inline bool code_has_result(uint32_t op) {
    return spirv_result(op) == 2;
}
// Returns whether the opcode ends a block.
bool code_ends_block(uint32_t op);

// Return the item defining an id (0: none), and the opcode of this item (SpvOpNop: none).
uint32_t code_definition(const struct code *code, uint32_t id);
uint32_t code_defined_by(const struct code *code, uint32_t id);
uint32_t code_type(const struct code *code, uint32_t id); // 0: it has none
// Return the pointer's storage class (SpvStorageClassMax: not a pointer), and the type it points to (0: not a
// pointer).
uint32_t code_class(const struct code *code, uint32_t pointer);
uint32_t code_pointee(const struct code *code, uint32_t pointer);

// Scalars and vectors of numbers.
enum number_kind { NUMBER_NONE, NUMBER_FLOAT, NUMBER_SIGNED, NUMBER_UNSIGNED, NUMBER_BOOL };
struct number_type {
    enum number_kind kind;
    uint32_t width, components; // bits of a component; a scalar has 1 component
    uint32_t type, scalar;      // ids of the type and of its component type
};
struct number_type code_number(const struct code *code, uint32_t type);
static inline bool number_is_whole(const struct number_type *n) {
    return n->kind == NUMBER_SIGNED || n->kind == NUMBER_UNSIGNED;
}

// Reads a constant's bits. A composite qualifies if all its components are the same constant. False: not such a
// constant, or a specialization constant.
bool code_constant(const struct code *code, uint32_t id, uint64_t *bits);

// Returns the text of an OpString; "" for 0.
const char *code_file(const struct code *code, uint32_t file);

#endif
