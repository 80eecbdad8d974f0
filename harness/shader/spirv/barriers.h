// SPDX-License-Identifier: Apache-2.0
// Finds out if all invocations of a workgroup reach a shader's barriers, as far as its SPIR-V shows.
#ifndef VKASSAY_SPIRV_BARRIERS_H
#define VKASSAY_SPIRV_BARRIERS_H

#include "module.h"

// Returns true if a return before a barrier, or a branch around it, may be taken by only a part of a workgroup. A
// value read from memory counts as equal for all invocations unless its address differs. So the result is a hint, not
// a proof.
bool barriers_may_part(const struct module *module);

// Returns an array by id: true if a value, or the target of a pointer, may differ between invocations. The caller
// frees it.
bool *barriers_differing(const struct module *module);

#endif
