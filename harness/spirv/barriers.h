// SPDX-License-Identifier: Apache-2.0
// Whether all invocations of a workgroup reach a shader's barriers, as far as its SPIR-V tells.
#ifndef VKASSAY_DEVICE_BARRIERS_H
#define VKASSAY_DEVICE_BARRIERS_H

#include "module.h"

// True where a condition that may differ between the invocations of a workgroup decides whether one of them comes to a
// barrier: by a return before it, or by a branch around it. What is read from memory counts as the same for all unless
// its place differs, so that it is a hint, not a proof.
bool barriers_may_part(const struct module *module);

// By id: a value that may differ so, or what a pointer points at. The caller frees it.
bool *barriers_differing(const struct module *module);

#endif
