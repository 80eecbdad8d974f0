// SPDX-License-Identifier: Apache-2.0
// Chooses what is judged of an output besides values. The source is Vulkan, "Precision and Operation of SPIR-V
// Instructions". Instructions that move a number (OpLoad, OpStore, OpSelect, OpBitcast and others) must not flush it,
// whatever is declared. They respect SignedZeroInfNanPreserve and keep the signs of zeros; so do OpFAdd, OpFSub,
// OpFMul, OpFNegate and OpFConvert. A conversion may flush unless DenormPreserve is declared; f16 is converted to
// float and back.
#ifndef VKASSAY_CHECK_PRESERVES_H
#define VKASSAY_CHECK_PRESERVES_H

#include "../../truth/judge/judge.h"
#include "../../../reference/operator.h"

static inline void judge_preserves(struct judge_input *input, enum preserves preserves) {
    input->signs = preserves != PRESERVES_VALUE;
    input->moved = preserves == PRESERVES_BITS && (input->dtype != DTYPE_F16 || input->arithmetic == DTYPE_F16);
}

#endif
