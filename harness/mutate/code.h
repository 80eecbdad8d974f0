// SPDX-License-Identifier: Apache-2.0
// A SPIR-V module as a list of instructions, each with its source line, and what its ids stand for: what mutations look
// at. The module must be a valid one (spirv_tools.h); of one that is not, nothing outside its words is read.
#ifndef VKASSAY_MUTATE_CODE_H
#define VKASSAY_MUTATE_CODE_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../spirv/spirv.h"

struct instruction {
    uint32_t at;         // of its first word
    uint32_t file, line; // by the last OpLine in its function: the id of an OpString; 0: there is none
    bool is_dead;        // nothing that is kept depends on it: compilers with debug lines leave copies behind
    uint32_t block;      // the item of the OpLabel that it stands behind; 0: it is in no block
};

// What an id is. item 0: nothing defines it.
struct definition {
    uint32_t item, type;
    uint32_t built_in;       // one more than the built-in variable that it is
    uint32_t no_contraction; // the item of that decoration; 0: it has none
    uint32_t set, binding;   // of a variable
    uint32_t tunable;        // one more than its specialization constant's number
    uint32_t uses, stores;   // how many operands of code that is not dead name it; of them, as what is stored to
};

// What a manifest says of a module, beside its words.
enum { CODE_PARAMETERS = 24, CODE_TUNABLES = 12 };
struct code_facts {
    struct code_parameter { // 4-byte words of the push constants, or of the uniform block
        const char *name;
        bool has_standard, integer; // a parameter has a default, a dim has none
        double standard;
    } parameters[CODE_PARAMETERS];
    int parameter_count;
    struct code_tunable {
        uint32_t id; // of the specialization constant
        const char *name;
        const int64_t *values;
        int count;
        int64_t value; // that it is built with
    } tunables[CODE_TUNABLES];
    int tunable_count;
};

struct code {
    const uint32_t *words;
    size_t count;
    uint32_t bound, glsl;      // the id of GLSL.std.450; 0: it is not imported
    struct instruction *items; // in the arena; the first is at 1
    uint32_t end;              // behind the last item
    uint32_t first_type, first_function;
    struct definition *ids; // in the arena, `bound` of them
    const struct code_facts *facts;
};

// STATUS_BAD_INPUT: the words are no SPIR-V, or are damaged.
bool code_read(struct arena *arena, const uint32_t *words, size_t count, const struct code_facts *facts,
    struct code *out, struct error *err);

static inline const uint32_t *code_item(const struct code *code, uint32_t item) {
    return &code->words[code->items[item].at];
}
static inline uint32_t code_op(const struct code *code, uint32_t item) {
    return spirv_op(code_item(code, item));
}
// A word of an instruction; 0 beyond its end.
uint32_t code_word(const struct code *code, uint32_t item, uint32_t word);
// Where the type and the result of an instruction of the code are: 1 and 2 if it has both, as all but a few.
bool code_has_result(uint32_t op);
// Whether it ends a block.
bool code_ends_block(uint32_t op);

// The item that defines an id; 0: none. The opcode of it; SpvOpNop: none.
uint32_t code_definition(const struct code *code, uint32_t id);
uint32_t code_defined_by(const struct code *code, uint32_t id);
uint32_t code_type(const struct code *code, uint32_t id); // 0: it has none
// The pointer's storage class; SpvStorageClassMax: it is no pointer. What it points to; 0: it is none.
uint32_t code_class(const struct code *code, uint32_t pointer);
uint32_t code_pointee(const struct code *code, uint32_t pointer);

// Scalars and vectors of numbers.
enum number_kind { NUMBER_NONE, NUMBER_FLOAT, NUMBER_SIGNED, NUMBER_UNSIGNED, NUMBER_BOOL };
struct number_type {
    enum number_kind kind;
    uint32_t width, components; // bits; 1: a scalar
    uint32_t type, scalar;      // ids of the type and of its component's
};
struct number_type code_number(const struct code *code, uint32_t type);
static inline bool number_is_whole(const struct number_type *n) {
    return n->kind == NUMBER_SIGNED || n->kind == NUMBER_UNSIGNED;
}

// A constant's bits, or those of all components where they are the same constant. False: it is no such constant, or one
// that is specialized.
bool code_constant(const struct code *code, uint32_t id, uint64_t *bits);

// The string that an OpString defines; "" for 0.
const char *code_file(const struct code *code, uint32_t file);

#endif
