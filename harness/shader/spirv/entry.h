// SPDX-License-Identifier: Apache-2.0
// Cuts a module down to one entry point. Declarations apply to the whole module: bindings, push constants, float
// controls, and the capabilities demanded of a device. A module with many kernels, or with uncalled functions, thus
// demands more than the kernel to run.
#ifndef VKASSAY_SPIRV_ENTRY_H
#define VKASSAY_SPIRV_ENTRY_H

#include "binary.h"

// Removes functions that the compute entry point does not call, the other entry points, and everything used only by
// these. Also removes capabilities that nothing left needs, as far as this is known. If there is none of them, or no
// such entry point, the module stays the same, word for word. New words are in the arena. STATUS_BAD_INPUT: the
// module is damaged, or Vulkan does not allow its call graph.
bool entry_isolate(struct arena *arena, struct spirv *spirv, const char *entry, struct error *err);

// Removes capabilities that no instruction needs, and extensions bringing only such capabilities. Returns the number
// of words left (entry_capabilities.c).
size_t entry_narrow(uint32_t *words, size_t count);

#endif
