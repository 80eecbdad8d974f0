// SPDX-License-Identifier: Apache-2.0
// A SPIR-V module with its ids indexed, while its interface is read.
#ifndef VKASSAY_DEVICE_MODULE_H
#define VKASSAY_DEVICE_MODULE_H

#include "interface.h"
#include "spirv.h"

// What is known of one id. `at` is where its type, constant or variable is defined; 0: nowhere.
struct id {
    uint32_t at, name;          // words into the module; name 0: none
    uint32_t root;              // of a pointer: the variable that it points into; 0: none
    uint32_t set, binding, stride, spec;
    bool has_spec, has_binding, buffer_block, workgroup_size;
    bool read, written, measured; // of a variable
};
struct module {
    const uint32_t *words;
    size_t count, declarations; // where the first function starts
    struct id *ids;             // owned
    uint32_t bound;
};

// Accepts words that are no SPIR-V: then false. module_close accepts a zeroed one.
bool module_open(struct module *module, const uint32_t *words, size_t count, struct error *err);
void module_close(struct module *module);

// The definition of an id, if it is one of `op` and has at least that many words; else NULL.
const uint32_t *module_defined(const struct module *module, uint32_t id, uint32_t op, uint32_t words);
// The string at the instruction's word, NUL-terminated within it; "" where it is not.
const char *module_text(const uint32_t *instruction, uint32_t word);

// ---- types (module_types.c)

// The parameters of a block: a structure's size and its words.
void type_block(const struct module *module, uint32_t type, struct shader_block *out);
// Fills element, bits, element_bytes, stride, offset of a storage block.
void type_storage(const struct module *module, uint32_t type, struct shader_binding *out);

#endif
