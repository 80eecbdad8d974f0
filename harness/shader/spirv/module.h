// SPDX-License-Identifier: Apache-2.0
// A SPIR-V module with its ids indexed.
#ifndef VKASSAY_SPIRV_MODULE_H
#define VKASSAY_SPIRV_MODULE_H

#include "interface.h"
#include "spirv.h"

// How the code uses a pointer or its target.
enum { USE_NAMED = 1, USE_READ = 2, USE_WRITTEN = 4, USE_MEASURED = 8 };

// The facts about one id. `at` is the definition of its type, constant, variable, function or pointer; 0: there is
// none.
struct id {
    uint32_t at, name; // indexes of words in the module; name 0: none
    uint32_t set, binding, stride, spec;
    uint32_t sources; // 1 + the index of its first source, while uses are followed (module_uses.c)
    uint8_t use;      // USE_...
    bool has_spec, has_binding, buffer_block, workgroup_size, pending;
};
struct module {
    const uint32_t *words;
    size_t count, declarations; // declarations: where the first function starts
    struct id *ids;             // owned
    uint32_t bound;
    uint32_t stray; // an id found beyond the bound; 0: none
};

// Indexes a module; returns false if the words are no SPIR-V or damaged. module_close accepts a zeroed module.
bool module_open(struct module *module, const uint32_t *words, size_t count, struct error *err);
void module_close(struct module *module);

// Returns the definition of an id, if it is an `op` with at least `words` words; else NULL.
const uint32_t *module_defined(const struct module *module, uint32_t id, uint32_t op, uint32_t words);
// Returns the string at a word of an instruction; "" if no NUL ends it within the instruction.
const char *module_text(const uint32_t *instruction, uint32_t word);
// Returns the compute entry point `name`; NULL: there is none.
const uint32_t *module_entry(const struct module *module, const char *name);
// Returns the id defined by a declaration; 0: none.
uint32_t module_result(const struct module *module, const uint32_t *declaration);
// Returns whether an instruction is only for debuggers.
bool module_is_remark(const struct module *module, const uint32_t *instruction);

// Returns whether a declaration comes before all types, constants and variables: an annotation, a name, a capability.
bool module_is_before_types(const uint32_t *instruction);

// Returns the widest scope of atomics. The Vulkan memory model allows Device scope only with a capability of its own
// (VUID-RuntimeSpirv-vulkanMemoryModel).
uint32_t module_widest_scope(const struct module *module);

// Sets the uses of every variable. Follows access chains, copies, choices and parameters of functions
// (module_uses.c).
void module_follow(struct module *module);

// ---- types as laid out in memory; endless nesting is given up on

// Reads the parameters of a block: a structure's size and its words.
void type_block(const struct module *module, uint32_t type, struct shader_block *out);
// Sets the names of a block's words, borrowed from the module; entries of words without a name stay as they are.
void type_names(const struct module *module, uint32_t type, const char *names[]);
// Returns the name of a structure's member; NULL: none.
const char *type_member_name(const struct module *module, uint32_t type, uint32_t member);
// Fills block, element, bits, element_bytes, stride and offset of a storage block.
void type_storage(const struct module *module, uint32_t type, struct shader_binding *out);

#endif
