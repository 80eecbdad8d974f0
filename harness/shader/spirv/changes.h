// SPDX-License-Identifier: Apache-2.0
// Changes of modules.
//
// One cuts a module down to one entry point. Declarations apply to the whole module: bindings, push constants, float
// controls, and the capabilities demanded of a device. A module with many kernels, or with uncalled functions, thus
// demands more than the kernel to run.
#ifndef VKASSAY_SPIRV_CHANGES_H
#define VKASSAY_SPIRV_CHANGES_H

#include "binary.h"

// Removes functions that the compute entry point does not call, the other entry points, and everything used only by
// these. Also removes capabilities that nothing left needs, as far as this is known. If there is none of them, or no
// such entry point, the module stays the same, word for word. New words are in the arena. STATUS_BAD_INPUT: the
// module is damaged, or Vulkan does not allow its call graph.
bool entry_isolate(struct arena *arena, struct spirv *spirv, const char *entry, struct error *err);

// Removes capabilities that no instruction needs, and extensions bringing only such capabilities. Returns the number
// of words left (entry_capabilities.c).
size_t entry_narrow(uint32_t *words, size_t count);

// ---- the lengths of buffers, as a shader asks for them (GLSL's .length(), WGSL's arrayLength)

// Copies a module and shortens every length it asks for by the elements in `bytes`. If bindings extend beyond the
// data by `bytes`, the shader then sees the data's end. The words are in the arena. STATUS_BAD_INPUT: the size of an
// array's elements is unknown, or does not divide `bytes`.
bool lengths_shorten(
    struct arena *arena, const struct spirv *spirv, uint32_t bytes, struct spirv *out, struct error *err);

// ---- instructions that detect if the driver ended a loop too early

// Makes `out` from `spirv`, in the arena. Each invocation adds 1 to a word on taking a loop's back edge. It subtracts
// 1 on arriving at the header by this edge. The word is alone in the storage buffer at set `slot[0]`, binding
// `slot[1]`. It keeps its value unless the driver sent invocations elsewhere. *loops is the number of loops; with 0 the
// module is unchanged. ERROR_SKIP: the control flow is not structured as Vulkan demands, or no ids are left.
bool loop_ends_watch(struct arena *arena, const struct spirv *spirv, const char *entry, const uint32_t slot[2],
    struct spirv *out, uint32_t *loops, struct error *err);

#endif
