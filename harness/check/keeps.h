// SPDX-License-Identifier: Apache-2.0
// What is judged of an output's numbers beside their values.
//
// Vulkan, "Precision and Operation of SPIR-V Instructions": OpLoad, OpStore, OpSelect, OpBitcast and what else moves a
// number must not flush it, whatever is declared; those, OpFAdd, OpFSub, OpFMul, OpFNegate and OpFConvert respect
// SignedZeroInfNanPreserve, which keeps signs of zeros. A conversion may flush unless DenormPreserve is declared: that
// is how f16 comes to float and back.
#ifndef VKASSAY_RUN_KEEPS_H
#define VKASSAY_RUN_KEEPS_H

#include "../judge/judge.h"
#include "../../reference/operator.h"

static inline void judge_keeps(struct judge_input *input, enum keeps keeps) {
    input->signs = keeps != KEEPS_VALUE;
    input->moved = keeps == KEEPS_BITS && (input->dtype != DTYPE_F16 || input->arithmetic == DTYPE_F16);
}

#endif
