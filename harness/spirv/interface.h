// SPDX-License-Identifier: Apache-2.0
// What a compute shader says of itself: read from its SPIR-V, as plain data and without Vulkan, so
// that it can be held against what a manifest says. The words may come from anywhere: whatever
// they are, reading them ends, and stays within them.
#ifndef VKASSAY_DEVICE_INTERFACE_H
#define VKASSAY_DEVICE_INTERFACE_H

#include "../base/arena.h"
#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    INTERFACE_BINDINGS = 48,
    INTERFACE_WORDS = 64, // 4-byte words of a block that are told apart
    INTERFACE_CONSTANTS = 64,
    INTERFACE_CAPABILITIES = 64,
};

// A block of parameters. Its words, 4 bytes each: 'i' integer, 'f' float, '.' nothing, '?' anything
// else (other widths).
struct shader_block {
    uint32_t bytes; // 0: there is none
    char words[INTERFACE_WORDS + 1];
};

enum slot_kind {
    SLOT_STORAGE,
    SLOT_UNIFORM,
    // no buffer
    SLOT_STORAGE_IMAGE,
    SLOT_TEXEL_BUFFER,
    SLOT_TEXTURE,
    SLOT_SAMPLER,
    SLOT_OTHER
};
enum element_kind { ELEMENT_NONE, ELEMENT_INT, ELEMENT_FLOAT, ELEMENT_OTHER };

// A resource variable. Several may share one place: views of a buffer in other types.
struct shader_binding {
    uint32_t set, binding;
    enum slot_kind kind;
    bool many;          // an array of descriptors
    const char *name;   // "" when the module names nothing
    const char *member; // the name of its only member, of storage; "" where it has none or several
    bool used;          // the code names it; else it is only declared
    bool read, written; // what the code does with it, as far as can be seen
    bool measured;      // its length is asked for
    // Of storage: the runtime array that it is or ends with.
    enum element_kind element; // NONE: it has none. OTHER: structures, matrices
    uint32_t bits;             // of a component, where the element is made of numbers of one kind
    uint32_t element_bytes, stride, offset;
    struct shader_block block; // of uniforms, and the fixed part of storage
};

struct shader_interface {
    uint32_t size[3];   // workgroup size; a specialized one's default
    int64_t size_id[3]; // the specialization constant of each, -1: a literal
    struct shader_binding bindings[INTERFACE_BINDINGS];
    int binding_count;
    struct shader_block push;
    struct shader_constant {
        uint32_t id;
        char kind;                    // 'i', 'f', 'b' a boolean, '?' anything else (other widths)
        uint32_t standard;            // the bits that it has where it is given no others; 0 of a boolean
        const char *name;             // "" when the module names nothing
    } constants[INTERFACE_CONSTANTS]; // for specialization
    int constant_count;
    uint32_t capabilities[INTERFACE_CAPABILITIES]; // as SPIR-V numbers them
    int capability_count;
    bool parts;  // not all invocations of a workgroup may reach its barriers (barriers.h)
    bool zeroed; // it has shared memory that is initialised, as compilers of WGSL make it
};

// Of the compute entry point of that name, where the module has no code but what that calls (entry.h). Strings are in
// the arena. STATUS_BAD_INPUT says what is off: no SPIR-V, damaged, no such entry point, no workgroup size, more than
// there is room for.
bool interface_read(struct arena *arena, const uint32_t *words, size_t count, const char *entry,
    struct shader_interface *out, struct error *err);

// "a storage buffer", "a texel buffer", "an array of descriptors".
const char *binding_kind_name(const struct shader_binding *binding);
// Of what is no buffer: the nearest way to one. NULL: it is a buffer.
const char *binding_way(const struct shader_binding *binding);

// "StorageBuffer16BitAccess"; NULL: no capability that is known has that number.
const char *capability_name(uint32_t number);

// Names of the words of a block of parameters, that of the member each belongs to; "" where there is none.
void interface_names(struct arena *arena, const uint32_t *words, size_t count, bool push, uint32_t set,
    uint32_t binding, const char *names[INTERFACE_WORDS]);

// A resource or block of parameters that a module declares, for whichever of its entry points.
struct shader_declared {
    bool push; // push constants, which have no place
    uint32_t set, binding;
    bool storage; // one storage buffer
    struct shader_block block;
};
struct shader_declarations {
    struct shader_declared *items; // in the arena
    int count;
};
// Of a whole module, before it is cut down to an entry point. STATUS_BAD_INPUT: as above, but for the entry point.
bool interface_declarations(
    struct arena *arena, const uint32_t *words, size_t count, struct shader_declarations *out, struct error *err);

#endif
