// SPDX-License-Identifier: Apache-2.0
// A SPIR-V module with its ids indexed, while its interface is read.
#ifndef VKASSAY_DEVICE_MODULE_H
#define VKASSAY_DEVICE_MODULE_H

#include "interface.h"
#include "spirv.h"

// What the code does with a pointer, or with what it points into.
enum { USE_NAMED = 1, USE_READ = 2, USE_WRITTEN = 4, USE_MEASURED = 8 };

// What is known of one id. `at` is where its type, constant, variable, function or pointer is defined; 0: nowhere.
struct id {
    uint32_t at, name; // words into the module; name 0: none
    uint32_t set, binding, stride, spec;
    uint32_t sources; // while uses are followed: the first of what it is made from
    uint8_t use;      // USE_...
    bool has_spec, has_binding, buffer_block, workgroup_size, pending;
};
struct module {
    const uint32_t *words;
    size_t count, declarations; // where the first function starts
    struct id *ids;             // owned
    uint32_t bound;
    uint32_t stray; // an id beyond the bound that was met; 0: none
};

// Accepts words that are no SPIR-V: then false. module_close accepts a zeroed one.
bool module_open(struct module *module, const uint32_t *words, size_t count, struct error *err);
void module_close(struct module *module);

// The definition of an id, if it is one of `op` and has at least that many words; else NULL.
const uint32_t *module_defined(const struct module *module, uint32_t id, uint32_t op, uint32_t words);
// The string at the instruction's word, NUL-terminated within it; "" where it is not.
const char *module_text(const uint32_t *instruction, uint32_t word);
// The compute entry point of that name; NULL: there is none.
const uint32_t *module_entry(const struct module *module, const char *name);
// The id that a declaration defines; 0: none.
uint32_t module_result(const struct module *module, const uint32_t *declaration);
// Whether an instruction is there for debuggers alone.
bool module_is_remark(const struct module *module, const uint32_t *instruction);

// Sets what the code does with every variable, through access chains, copies, choices and parameters of functions
// (module_uses.c).
void module_follow(struct module *module);

// ---- types as they lie in memory. Those that nest without end are given up on.

// The parameters of a block: a structure's size and its words.
void type_block(const struct module *module, uint32_t type, struct shader_block *out);
// Names of its words, borrowed from the module; what has none stays as it is.
void type_names(const struct module *module, uint32_t type, const char *names[]);
// The name of a structure's member; NULL: none.
const char *type_member_name(const struct module *module, uint32_t type, uint32_t member);
// Fills element, bits, element_bytes, stride, offset of a storage block.
void type_storage(const struct module *module, uint32_t type, struct shader_binding *out);

#endif
