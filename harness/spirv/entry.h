// SPDX-License-Identifier: Apache-2.0
// A module cut down to one entry point. What a module declares counts for all of it: bindings, push constants, float
// controls, and the capabilities without which a device must not be given it. A module of many kernels, or one with
// functions that nothing calls, is thus more than the one kernel that runs.
#ifndef VKASSAY_DEVICE_ENTRY_H
#define VKASSAY_DEVICE_ENTRY_H

#include "../shaders/shader.h"

// Leaves out the functions that the compute entry point does not call, the other entry points, what only those use,
// and capabilities that nothing left needs, as far as that can be told. A module without any such function, entry point
// or capability stays as it is, word for word, as does one that lacks the entry point; new words are in the arena.
// STATUS_BAD_INPUT: damaged, or a call graph that Vulkan does not allow.
bool entry_isolate(struct arena *arena, struct spirv *spirv, const char *entry, struct error *err);

// Leaves out capabilities, and the extensions that bring them, that no instruction needs; how many words are left
// (entry_capabilities.c).
size_t entry_narrow(uint32_t *words, size_t count);

#endif
