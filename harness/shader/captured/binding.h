// SPDX-License-Identifier: Apache-2.0
// A recorded dispatch beside the interface of its module. Private to this folder.
#ifndef VKASSAY_CAPTURED_BINDING_H
#define VKASSAY_CAPTURED_BINDING_H

#include "../../capture/replay/folder.h"
#include "../manifest/kernel.h"
#include "../spirv/interface.h"

// A module at one entry point.
struct captured_module {
    const char *hash, *entry;
    const char *why; // why it cannot be replayed; NULL: it can
    struct shader_interface shader;
};

// A buffer that the module uses: the shader's view of it, over all variables of its place.
struct bound_buffer {
    struct binding_place place;
    const struct captured_operand *recorded;
    const char *name; // "" if the module has none
    enum dtype dtype;
    bool read, written;
    uint32_t block_bytes; // of a uniform
    int operand;          // buffers with bytes in common are one operand
};

// A dispatch ready to become a case.
struct bound_dispatch {
    const struct captured_dispatch *dispatch;
    const struct captured_module *module;
    struct bound_buffer buffers[KERNEL_BINDINGS], uniforms[KERNEL_BLOCKS - 1];
    int buffer_count, uniform_count, operand_count;
    struct {
        uint64_t offset, bytes; // in its memory
    } operands[OPERATOR_OPERANDS];
    uint64_t key; // equal keys: cases of one kernel
};

// Joins both. Returns NULL, or why the dispatch cannot be replayed.
const char *dispatch_bind(
    const struct captured_dispatch *dispatch, const struct captured_module *module, struct bound_dispatch *out);

#endif
