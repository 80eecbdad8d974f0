// SPDX-License-Identifier: Apache-2.0
// The float controls declared by a SPIR-V module. They decide how strictly its results are judged.
#ifndef VKASSAY_SPIRV_CONTROLS_DECLARED_H
#define VKASSAY_SPIRV_CONTROLS_DECLARED_H

#include "spirv.h"

#include "../../truth/judge/judge.h"

#include <stddef.h>

// OpExecutionMode of a float control: entry point, mode, then the width in bits.
enum { CONTROL_WORDS = 4, CONTROL = CONTROL_WORDS << 16 | SpvOpExecutionMode };

// Reads the OpExecutionMode of RoundingModeRTE, SignedZeroInfNanPreserve and DenormPreserve for floats of `bits` bits
// (32 or 16). Words that are no SPIR-V declare nothing.
struct policy controls_declared(const uint32_t *words, size_t count, uint32_t bits);

#endif
