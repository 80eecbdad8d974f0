// SPDX-License-Identifier: Apache-2.0
// Adds instructions to a SPIR-V module that tell whether the driver ended a loop before its condition did.
#ifndef VKASSAY_DEVICE_LOOP_ENDS_H
#define VKASSAY_DEVICE_LOOP_ENDS_H

#include "../device/gpu.h"
#include "../shaders/shader.h"

// Makes `out` from `spirv`, in the arena: all invocations add 1 to a word when they take a loop's back edge, and
// subtract 1 when they arrive at its header by it. The word, alone in the storage buffer at `slot`, stays what it was
// unless the driver sent invocations elsewhere. *loops is the number of loops; with 0 the module is unchanged.
// ERROR_SKIP: the control flow is not structured as Vulkan demands, or no ids are left.
bool loop_ends_watch(struct arena *arena, const struct spirv *spirv, const char *entry, struct slot slot,
    struct spirv *out, uint32_t *loops, struct error *err);

#endif
