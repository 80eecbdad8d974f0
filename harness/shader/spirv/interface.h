// SPDX-License-Identifier: Apache-2.0
// The interface of a compute shader, read from its SPIR-V as plain data and without Vulkan. It can be compared with a
// manifest. The words may come from anywhere: reading them always ends, and stays within them.
#ifndef VKASSAY_SPIRV_INTERFACE_H
#define VKASSAY_SPIRV_INTERFACE_H

#include "../../base/arena.h"
#include "../../base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    INTERFACE_BINDINGS = 48,
    INTERFACE_WORDS = 64, // distinguished 4-byte words of a block
    INTERFACE_CONSTANTS = 64,
    INTERFACE_CAPABILITIES = 64,
};

// A block of parameters. `words` has a character for each 4-byte word: 'i' integer, 'f' float, '*' either
// (the block is an array of uint vectors), '.' nothing, '?' anything else (other widths).
struct shader_block {
    uint32_t bytes; // 0: there is none
    char words[INTERFACE_WORDS + 1];
};

enum slot_kind {
    SLOT_STORAGE,
    SLOT_UNIFORM,
    // not buffers
    SLOT_STORAGE_IMAGE,
    SLOT_TEXEL_BUFFER,
    SLOT_TEXTURE,
    SLOT_SAMPLER,
    SLOT_OTHER
};
enum element_kind { ELEMENT_NONE, ELEMENT_INT, ELEMENT_FLOAT, ELEMENT_OTHER };

// A resource variable. Several may share one binding, as views of a buffer with other types.
struct shader_binding {
    uint32_t set, binding;
    enum slot_kind kind;
    bool many;          // an array of descriptors
    const char *name;   // "" if the module does not name it
    const char *member; // the name of its only member; "" if it has none or several
    bool used;          // by the code; otherwise it is only declared
    bool read, written; // by the code, as far as can be seen
    bool measured;      // the code asks for its length
    // For storage: the runtime array at its end.
    enum element_kind element; // NONE: there is none. OTHER: structures, matrices
    uint32_t bits;             // of a component, if the element consists of numbers of one kind
    uint32_t element_bytes, stride, offset;
    struct shader_block block; // of uniforms, and the fixed part of storage
};

struct shader_interface {
    uint32_t size[3];   // workgroup size; the default of a specialized one
    int64_t size_id[3]; // the specialization constant of each axis, -1: a literal
    struct shader_binding bindings[INTERFACE_BINDINGS];
    int binding_count;
    struct shader_block push;
    struct shader_constant {
        uint32_t id;
        char kind;                    // 'i', 'f', 'b' a boolean, '?' anything else (other widths)
        uint32_t standard;            // the bits of the default value; 0 for a boolean
        const char *name;             // "" if the module does not name it
    } constants[INTERFACE_CONSTANTS]; // for specialization
    int constant_count;
    uint32_t capabilities[INTERFACE_CAPABILITIES]; // by their SPIR-V numbers
    int capability_count;
    bool parts;  // some invocations of a workgroup may not reach its barriers (barriers.h)
    bool zeroed; // it has initialised shared memory, as compilers of WGSL emit it
};

// Reads the interface of the compute entry point `entry`. The module must contain only its code and the functions it
// calls (changes.h). Strings are in the arena. STATUS_BAD_INPUT states the fault: no SPIR-V, damaged, no such entry
// point, no workgroup size, or more resources than there is room for.
bool interface_read(struct arena *arena, const uint32_t *words, size_t count, const char *entry,
    struct shader_interface *out, struct error *err);

// Returns "a storage buffer", "a texel buffer", "an array of descriptors", ...
const char *binding_kind_name(const struct shader_binding *binding);
// Returns advice for a resource that is no buffer: the nearest way to one. NULL: it is a buffer.
const char *binding_way(const struct shader_binding *binding);

// Returns a name such as "StorageBuffer16BitAccess"; NULL: the number is unknown.
const char *capability_name(uint32_t number);

// Finds the names of the words of a block of parameters: each is the name of the word's member, or "" if it has none.
void interface_names(struct arena *arena, const uint32_t *words, size_t count, bool push, uint32_t set,
    uint32_t binding, const char *names[INTERFACE_WORDS]);

// A resource or block of parameters declared by a module, for any of its entry points.
struct shader_declared {
    bool push; // push constants, without set and binding
    uint32_t set, binding;
    bool storage; // a single storage buffer
    struct shader_block block;
};
struct shader_declarations {
    struct shader_declared *items; // in the arena
    int count;
};
// Reads the declarations of a whole module, before it is cut down to an entry point. STATUS_BAD_INPUT: as above,
// except for the entry point.
bool interface_declarations(
    struct arena *arena, const uint32_t *words, size_t count, struct shader_declarations *out, struct error *err);

#endif
