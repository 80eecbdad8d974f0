// SPDX-License-Identifier: Apache-2.0
#include "controls.h"

// SPIR-V specification, 2.3 "Physical layout", 3.6 "Execution Mode", 3.49.5 "OpExecutionMode".
enum {
    SPIRV_MAGIC = 0x07230203,
    SPIRV_HEADER_WORDS = 5,
    OP_EXECUTION_MODE = 16,
    OP_ARRAY_LENGTH = 68,
    MODE_DENORM_PRESERVE = 4459,
    MODE_SIGNED_ZERO_INF_NAN_PRESERVE = 4461,
    MODE_ROUNDING_MODE_RTE = 4462,
};

// Moves *at to the next instruction; false at the end, or where the module is damaged.
static bool next(const uint32_t *words, size_t count, size_t *at) {
    if (count < SPIRV_HEADER_WORDS || words[0] != SPIRV_MAGIC) return false;
    *at = *at ? *at + (words[*at] >> 16) : SPIRV_HEADER_WORDS;
    return *at < count && words[*at] >> 16 != 0 && words[*at] >> 16 <= count - *at;
}

struct policy controls_declared(const uint32_t *words, size_t count, uint32_t bits) {
    struct policy policy = {0};
    for (size_t at = 0; next(words, count, &at);) {
        // OpExecutionMode: entry point, mode, then the width in bits.
        if (words[at] != (4u << 16 | OP_EXECUTION_MODE) || words[at + 3] != bits) continue;
        policy.rte |= words[at + 2] == MODE_ROUNDING_MODE_RTE;
        policy.specials |= words[at + 2] == MODE_SIGNED_ZERO_INF_NAN_PRESERVE;
        policy.denorms |= words[at + 2] == MODE_DENORM_PRESERVE;
    }
    return policy;
}

bool controls_array_length(const uint32_t *words, size_t count) {
    for (size_t at = 0; next(words, count, &at);)
        if ((words[at] & 0xffff) == OP_ARRAY_LENGTH) return true;
    return false;
}
