// SPDX-License-Identifier: Apache-2.0
#include "controls.h"

// SPIR-V specification, 2.3 "Physical layout", 3.6 "Execution Mode", 3.49.5 "OpExecutionMode".
enum {
    SPIRV_MAGIC = 0x07230203,
    SPIRV_HEADER_WORDS = 5,
    OP_EXECUTION_MODE = 16,
    MODE_DENORM_PRESERVE = 4459,
    MODE_SIGNED_ZERO_INF_NAN_PRESERVE = 4461,
    MODE_ROUNDING_MODE_RTE = 4462,
};

struct policy controls_declared(const uint32_t *words, size_t count, uint32_t bits) {
    struct policy policy = {0};
    if (count < SPIRV_HEADER_WORDS || words[0] != SPIRV_MAGIC) return policy;
    for (size_t at = SPIRV_HEADER_WORDS; at < count;) {
        uint32_t length = words[at] >> 16, opcode = words[at] & 0xffff;
        if (length == 0 || length > count - at) break;
        // OpExecutionMode: entry point, mode, then the width in bits.
        if (opcode == OP_EXECUTION_MODE && length == 4 && words[at + 3] == bits) {
            policy.rte |= words[at + 2] == MODE_ROUNDING_MODE_RTE;
            policy.specials |= words[at + 2] == MODE_SIGNED_ZERO_INF_NAN_PRESERVE;
            policy.denorms |= words[at + 2] == MODE_DENORM_PRESERVE;
        }
        at += length;
    }
    return policy;
}
