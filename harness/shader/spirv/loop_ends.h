// SPDX-License-Identifier: Apache-2.0
// Adds instructions to a SPIR-V module that detect if the driver ended a loop too early.
#ifndef VKASSAY_SPIRV_LOOP_ENDS_H
#define VKASSAY_SPIRV_LOOP_ENDS_H

#include "binary.h"

// Makes `out` from `spirv`, in the arena. Each invocation adds 1 to a word on taking a loop's back edge. It subtracts
// 1 on arriving at the header by this edge. The word is alone in the storage buffer at set `slot[0]`, binding
// `slot[1]`. It keeps its value unless the driver sent invocations elsewhere. *loops is the number of loops; with 0 the
// module is unchanged. ERROR_SKIP: the control flow is not structured as Vulkan demands, or no ids are left.
bool loop_ends_watch(struct arena *arena, const struct spirv *spirv, const char *entry, const uint32_t slot[2],
    struct spirv *out, uint32_t *loops, struct error *err);

#endif
