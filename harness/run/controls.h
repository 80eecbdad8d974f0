// SPDX-License-Identifier: Apache-2.0
// The float controls that a SPIR-V module declares; they decide what its results may be held to.
#ifndef VKASSAY_RUN_CONTROLS_H
#define VKASSAY_RUN_CONTROLS_H

#include "../judge/judge.h"

#include <stddef.h>

// Reads OpExecutionMode of RoundingModeRTE, SignedZeroInfNanPreserve and DenormPreserve for `bits` wide floats
// (32 or 16). A module that is no SPIR-V declares nothing.
struct policy controls_declared(const uint32_t *words, size_t count, uint32_t bits);

#endif
