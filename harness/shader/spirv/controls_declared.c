// SPDX-License-Identifier: Apache-2.0
#include "controls_declared.h"

struct policy controls_declared(const uint32_t *words, size_t count, uint32_t bits) {
    struct policy policy = {0};
    for (size_t at = 0; spirv_next(words, count, &at);) {
        if (words[at] != CONTROL || words[at + 3] != bits) continue;
        policy.rte |= words[at + 2] == SpvExecutionModeRoundingModeRTE;
        policy.specials |= words[at + 2] == SpvExecutionModeSignedZeroInfNanPreserve;
        policy.denorms |= words[at + 2] == SpvExecutionModeDenormPreserve;
    }
    return policy;
}
