// SPDX-License-Identifier: Apache-2.0
// Which instructions need a capability: SPIR-V specification 1.6, 3.31 "Capability" and the "Enabling Capabilities" of
// instructions, types, built-ins and modes. A capability that stands in no row is taken to be needed.
#include "entry.h"
#include "spirv.h"

#include <string.h>

enum need_kind { NEED_NOTHING, NEED_OP, NEED_INT, NEED_FLOAT, NEED_BUILT_IN, NEED_MODE };

static const struct row {
    uint16_t capability;
    const char *extension; // what brings it; NULL: Vulkan 1.1 itself
    struct {
        enum need_kind kind;
        uint16_t first, last;
    } any[2]; // of these; without one, only other stages than compute need it
} rows[] = {
    {2, NULL, {{0}}},  // Geometry
    {3, NULL, {{0}}},  // Tessellation
    {32, NULL, {{0}}}, // ClipDistance
    {33, NULL, {{0}}}, // CullDistance
    {35, NULL, {{0}}}, // SampleRateShading
    {52, NULL, {{0}}}, // InterpolationFunction
    {9, NULL, {{NEED_FLOAT, 16, 16}}},
    {10, NULL, {{NEED_FLOAT, 64, 64}}},
    {11, NULL, {{NEED_INT, 64, 64}}},
    {12, NULL, {{NEED_INT, 64, 64}}}, // Int64Atomics
    {22, NULL, {{NEED_INT, 16, 16}}},
    {39, NULL, {{NEED_INT, 8, 8}}},
    // Images: OpTypeImage
    {25, NULL, {{NEED_OP, 25, 25}}}, // ImageGatherExtended
    {27, NULL, {{NEED_OP, 25, 25}}}, // StorageImageMultisample
    {34, NULL, {{NEED_OP, 25, 25}}}, // ImageCubeArray
    {40, NULL, {{NEED_OP, 25, 25}}}, // InputAttachment
    {43, NULL, {{NEED_OP, 25, 25}}}, // Sampled1D
    {44, NULL, {{NEED_OP, 25, 25}}}, // Image1D
    {45, NULL, {{NEED_OP, 25, 25}}}, // SampledCubeArray
    {46, NULL, {{NEED_OP, 25, 25}}}, // SampledBuffer
    {47, NULL, {{NEED_OP, 25, 25}}}, // ImageBuffer
    {48, NULL, {{NEED_OP, 25, 25}}}, // ImageMSArray
    {49, NULL, {{NEED_OP, 25, 25}}}, // StorageImageExtendedFormats
    {50, NULL, {{NEED_OP, 25, 25}}}, // ImageQuery
    {55, NULL, {{NEED_OP, 25, 25}}}, // StorageImageReadWithoutFormat
    {56, NULL, {{NEED_OP, 25, 25}}}, // StorageImageWriteWithoutFormat
    // Subgroups
    {61, NULL, {{NEED_OP, 333, 366}, {NEED_BUILT_IN, 36, 41}}},
    {62, NULL, {{NEED_OP, 334, 336}}},                              // Vote
    {63, NULL, {{NEED_OP, 349, 364}}},                              // Arithmetic
    {64, NULL, {{NEED_OP, 337, 344}, {NEED_BUILT_IN, 4416, 4420}}}, // Ballot
    {65, NULL, {{NEED_OP, 345, 346}}},                              // Shuffle
    {66, NULL, {{NEED_OP, 347, 348}}},                              // ShuffleRelative
    {67, NULL, {{NEED_OP, 349, 364}}},                              // Clustered
    {68, NULL, {{NEED_OP, 365, 366}}},                              // Quad
    // Narrow types in memory
    {4433, "SPV_KHR_16bit_storage", {{NEED_INT, 16, 16}, {NEED_FLOAT, 16, 16}}},
    {4434, "SPV_KHR_16bit_storage", {{NEED_INT, 16, 16}, {NEED_FLOAT, 16, 16}}},
    {4435, "SPV_KHR_16bit_storage", {{NEED_INT, 16, 16}, {NEED_FLOAT, 16, 16}}},
    {4436, "SPV_KHR_16bit_storage", {{NEED_INT, 16, 16}, {NEED_FLOAT, 16, 16}}},
    {4448, "SPV_KHR_8bit_storage", {{NEED_INT, 8, 8}}},
    {4449, "SPV_KHR_8bit_storage", {{NEED_INT, 8, 8}}},
    {4450, "SPV_KHR_8bit_storage", {{NEED_INT, 8, 8}}},
    // Float controls
    {4464, "SPV_KHR_float_controls", {{NEED_MODE, 4459, 4459}}}, // DenormPreserve
    {4465, "SPV_KHR_float_controls", {{NEED_MODE, 4460, 4460}}}, // DenormFlushToZero
    {4466, "SPV_KHR_float_controls", {{NEED_MODE, 4461, 4461}}}, // SignedZeroInfNanPreserve
    {4467, "SPV_KHR_float_controls", {{NEED_MODE, 4462, 4462}}}, // RoundingModeRTE
    {4468, "SPV_KHR_float_controls", {{NEED_MODE, 4463, 4463}}}, // RoundingModeRTZ
    {5055, "SPV_KHR_shader_clock", {{NEED_OP, 5056, 5056}}},
    {5357, "SPV_NV_cooperative_matrix", {{NEED_OP, 5358, 5362}}},
    {6022, "SPV_KHR_cooperative_matrix", {{NEED_OP, 4456, 4460}}},
    // Atomics of floats
    {5612, "SPV_EXT_shader_atomic_float_min_max", {{NEED_OP, 5614, 5615}}},
    {5613, "SPV_EXT_shader_atomic_float_min_max", {{NEED_OP, 5614, 5615}}},
    {5616, "SPV_EXT_shader_atomic_float_min_max", {{NEED_OP, 5614, 5615}}},
    {6033, "SPV_EXT_shader_atomic_float_add", {{NEED_OP, 6035, 6035}}},
    {6034, "SPV_EXT_shader_atomic_float_add", {{NEED_OP, 6035, 6035}}},
    {6095, "SPV_EXT_shader_atomic_float16_add", {{NEED_OP, 6035, 6035}}},
    // Dot products of packed integers
    {6016, "SPV_KHR_integer_dot_product", {{NEED_OP, 4450, 4455}}},
    {6017, "SPV_KHR_integer_dot_product", {{NEED_OP, 4450, 4455}}},
    {6018, "SPV_KHR_integer_dot_product", {{NEED_OP, 4450, 4455}}},
    {6019, "SPV_KHR_integer_dot_product", {{NEED_OP, 4450, 4455}}},
    {5629, "SPV_KHR_expect_assume", {{NEED_OP, 5630, 5631}}},
};
enum { ROWS = sizeof rows / sizeof *rows };

// The number by which an instruction can be needed; false: not by that kind.
static bool number_of(enum need_kind kind, const uint32_t *i, uint32_t *number) {
    uint32_t op = spirv_op(i), length = spirv_length(i);
    uint32_t decoration = op == OP_DECORATE ? 2 : op == OP_MEMBER_DECORATE ? 3 : 0;
    switch (kind) {
    case NEED_NOTHING:
        return false;
    case NEED_OP:
        *number = op;
        return true;
    case NEED_INT:
        *number = length > 2 ? i[2] : 0;
        return op == OP_TYPE_INT;
    case NEED_FLOAT:
        *number = length > 2 ? i[2] : 0;
        return op == OP_TYPE_FLOAT;
    case NEED_MODE:
        *number = length > 2 ? i[2] : 0;
        return op == OP_EXECUTION_MODE;
    case NEED_BUILT_IN:
        if (!decoration || length < decoration + 2 || i[decoration] != DECORATION_BUILT_IN) return false;
        *number = i[decoration + 1];
        return true;
    }
    return false;
}

static bool is_needed(const uint32_t *words, size_t count, const struct row *row) {
    uint32_t number;
    for (size_t at = 0; spirv_next(words, count, &at);)
        for (int n = 0; n < 2; n++)
            if (number_of(row->any[n].kind, &words[at], &number) && number >= row->any[n].first &&
                number <= row->any[n].last)
                return true;
    return false;
}

enum state { ABSENT, NEEDED, DROPPED };

static void find_states(const uint32_t *words, size_t count, enum state states[ROWS]) {
    for (size_t at = 0; spirv_next(words, count, &at);)
        for (int r = 0; spirv_op(&words[at]) == OP_CAPABILITY && spirv_length(&words[at]) > 1 && r < ROWS; r++)
            if (rows[r].capability == words[at + 1]) states[r] = is_needed(words, count, &rows[r]) ? NEEDED : DROPPED;
}

static bool drops_capability(const enum state states[ROWS], uint32_t capability) {
    for (int r = 0; r < ROWS; r++)
        if (rows[r].capability == capability) return states[r] == DROPPED;
    return false;
}

// One that brings nothing but what is dropped.
static bool drops_extension(const enum state states[ROWS], const uint32_t *i) {
    const char *end = memchr(&i[1], '\0', (spirv_length(i) - 1) * sizeof *i);
    bool dropped = false;
    for (int r = 0; end && r < ROWS; r++) {
        if (states[r] == ABSENT || !rows[r].extension || strcmp(rows[r].extension, (const char *)&i[1]) != 0) continue;
        if (states[r] == NEEDED) return false;
        dropped = true;
    }
    return dropped;
}

size_t entry_narrow(uint32_t *words, size_t count) {
    enum state states[ROWS] = {0};
    find_states(words, count, states);
    size_t left = SPIRV_HEADER, length;
    for (size_t at = SPIRV_HEADER; at < count; at += length) {
        length = spirv_length(&words[at]);
        bool dropped =
            length > 1 && ((spirv_op(&words[at]) == OP_CAPABILITY && drops_capability(states, words[at + 1])) ||
                              (spirv_op(&words[at]) == OP_EXTENSION && drops_extension(states, &words[at])));
        if (dropped) continue;
        memmove(&words[left], &words[at], length * sizeof *words);
        left += length;
    }
    return left;
}
