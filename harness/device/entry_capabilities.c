// SPDX-License-Identifier: Apache-2.0
// Which instructions need a capability: SPIR-V specification 1.6, 3.31 "Capability" and the "Enabling Capabilities" of
// instructions, types, built-ins and modes. A capability that stands in no row is taken to be needed.
#include "entry.h"
#include "spirv.h"

#include <string.h>

enum need_kind { NEED_NOTHING, NEED_OP, NEED_INT, NEED_FLOAT, NEED_BUILT_IN, NEED_MODE };

enum { MOST_CAPABILITIES = 14 };
static const struct row {
    const char *extension; // what brings them; NULL: Vulkan 1.1 itself
    struct {
        enum need_kind kind;
        uint16_t first, last;                 // last 0: the first alone
    } any[2];                                 // of these; without one, only other stages than compute need it
    uint16_t capabilities[MOST_CAPABILITIES]; // up to the first 0
} rows[] = {
    {NULL, {{0}},
        {SpvCapabilityGeometry, SpvCapabilityTessellation, SpvCapabilityClipDistance, SpvCapabilityCullDistance,
            SpvCapabilitySampleRateShading, SpvCapabilityInterpolationFunction}},
    {NULL, {{NEED_FLOAT, 16, 0}}, {SpvCapabilityFloat16}},
    {NULL, {{NEED_FLOAT, 64, 0}}, {SpvCapabilityFloat64}},
    {NULL, {{NEED_INT, 64, 0}}, {SpvCapabilityInt64, SpvCapabilityInt64Atomics}},
    {NULL, {{NEED_INT, 16, 0}}, {SpvCapabilityInt16}},
    {NULL, {{NEED_INT, 8, 0}}, {SpvCapabilityInt8}},
    {NULL, {{NEED_OP, SpvOpTypeImage, 0}},
        {SpvCapabilityImageGatherExtended, SpvCapabilityStorageImageMultisample, SpvCapabilityImageCubeArray,
            SpvCapabilityInputAttachment, SpvCapabilitySampled1D, SpvCapabilityImage1D, SpvCapabilitySampledCubeArray,
            SpvCapabilitySampledBuffer, SpvCapabilityImageBuffer, SpvCapabilityImageMSArray,
            SpvCapabilityStorageImageExtendedFormats, SpvCapabilityImageQuery,
            SpvCapabilityStorageImageReadWithoutFormat, SpvCapabilityStorageImageWriteWithoutFormat}},
    {NULL,
        {{NEED_OP, SpvOpGroupNonUniformElect, SpvOpGroupNonUniformQuadSwap},
            {NEED_BUILT_IN, SpvBuiltInSubgroupSize, SpvBuiltInSubgroupLocalInvocationId}},
        {SpvCapabilityGroupNonUniform}},
    {NULL, {{NEED_OP, SpvOpGroupNonUniformAll, SpvOpGroupNonUniformAllEqual}}, {SpvCapabilityGroupNonUniformVote}},
    {NULL, {{NEED_OP, SpvOpGroupNonUniformIAdd, SpvOpGroupNonUniformLogicalXor}},
        {SpvCapabilityGroupNonUniformArithmetic, SpvCapabilityGroupNonUniformClustered}},
    {NULL,
        {{NEED_OP, SpvOpGroupNonUniformBroadcast, SpvOpGroupNonUniformBallotFindMSB},
            {NEED_BUILT_IN, SpvBuiltInSubgroupEqMask, SpvBuiltInSubgroupLtMask}},
        {SpvCapabilityGroupNonUniformBallot}},
    {NULL, {{NEED_OP, SpvOpGroupNonUniformShuffle, SpvOpGroupNonUniformShuffleXor}},
        {SpvCapabilityGroupNonUniformShuffle}},
    {NULL, {{NEED_OP, SpvOpGroupNonUniformShuffleUp, SpvOpGroupNonUniformShuffleDown}},
        {SpvCapabilityGroupNonUniformShuffleRelative}},
    {NULL, {{NEED_OP, SpvOpGroupNonUniformQuadBroadcast, SpvOpGroupNonUniformQuadSwap}},
        {SpvCapabilityGroupNonUniformQuad}},
    {"SPV_KHR_16bit_storage", {{NEED_INT, 16, 0}, {NEED_FLOAT, 16, 0}},
        {SpvCapabilityStorageBuffer16BitAccess, SpvCapabilityUniformAndStorageBuffer16BitAccess,
            SpvCapabilityStoragePushConstant16, SpvCapabilityStorageInputOutput16}},
    {"SPV_KHR_8bit_storage", {{NEED_INT, 8, 0}},
        {SpvCapabilityStorageBuffer8BitAccess, SpvCapabilityUniformAndStorageBuffer8BitAccess,
            SpvCapabilityStoragePushConstant8}},
    {"SPV_KHR_float_controls", {{NEED_MODE, SpvExecutionModeDenormPreserve, 0}}, {SpvCapabilityDenormPreserve}},
    {"SPV_KHR_float_controls", {{NEED_MODE, SpvExecutionModeDenormFlushToZero, 0}}, {SpvCapabilityDenormFlushToZero}},
    {"SPV_KHR_float_controls", {{NEED_MODE, SpvExecutionModeSignedZeroInfNanPreserve, 0}},
        {SpvCapabilitySignedZeroInfNanPreserve}},
    {"SPV_KHR_float_controls", {{NEED_MODE, SpvExecutionModeRoundingModeRTE, 0}}, {SpvCapabilityRoundingModeRTE}},
    {"SPV_KHR_float_controls", {{NEED_MODE, SpvExecutionModeRoundingModeRTZ, 0}}, {SpvCapabilityRoundingModeRTZ}},
    {"SPV_KHR_shader_clock", {{NEED_OP, SpvOpReadClockKHR, 0}}, {SpvCapabilityShaderClockKHR}},
    {"SPV_NV_cooperative_matrix", {{NEED_OP, SpvOpTypeCooperativeMatrixNV, SpvOpCooperativeMatrixLengthNV}},
        {SpvCapabilityCooperativeMatrixNV}},
    {"SPV_KHR_cooperative_matrix", {{NEED_OP, OP_TYPE_COOPERATIVE_MATRIX_KHR, OP_COOPERATIVE_MATRIX_LENGTH_KHR}},
        {CAPABILITY_COOPERATIVE_MATRIX_KHR}},
    {"SPV_EXT_shader_atomic_float_min_max", {{NEED_OP, SpvOpAtomicFMinEXT, SpvOpAtomicFMaxEXT}},
        {SpvCapabilityAtomicFloat16MinMaxEXT, SpvCapabilityAtomicFloat32MinMaxEXT,
            SpvCapabilityAtomicFloat64MinMaxEXT}},
    {"SPV_EXT_shader_atomic_float_add", {{NEED_OP, SpvOpAtomicFAddEXT, 0}},
        {SpvCapabilityAtomicFloat32AddEXT, SpvCapabilityAtomicFloat64AddEXT}},
    {"SPV_EXT_shader_atomic_float16_add", {{NEED_OP, SpvOpAtomicFAddEXT, 0}}, {SpvCapabilityAtomicFloat16AddEXT}},
    {"SPV_KHR_integer_dot_product", {{NEED_OP, SpvOpSDot, SpvOpSUDotAccSat}},
        {SpvCapabilityDotProductInputAll, SpvCapabilityDotProductInput4x8Bit, SpvCapabilityDotProductInput4x8BitPacked,
            SpvCapabilityDotProduct}},
    {"SPV_KHR_expect_assume", {{NEED_OP, SpvOpAssumeTrueKHR, SpvOpExpectKHR}}, {SpvCapabilityExpectAssumeKHR}},
};
enum { ROWS = sizeof rows / sizeof *rows };

// The number by which an instruction can be needed; false: not by that kind.
static bool number_of(enum need_kind kind, const uint32_t *i, uint32_t *number) {
    uint32_t op = spirv_op(i), length = spirv_length(i);
    uint32_t decoration = op == SpvOpDecorate ? 2 : op == SpvOpMemberDecorate ? 3 : 0;
    switch (kind) {
    case NEED_NOTHING:
        return false;
    case NEED_OP:
        *number = op;
        return true;
    case NEED_INT:
        *number = length > 2 ? i[2] : 0;
        return op == SpvOpTypeInt;
    case NEED_FLOAT:
        *number = length > 2 ? i[2] : 0;
        return op == SpvOpTypeFloat;
    case NEED_MODE:
        *number = length > 2 ? i[2] : 0;
        return op == SpvOpExecutionMode;
    case NEED_BUILT_IN:
        if (!decoration || length < decoration + 2 || i[decoration] != SpvDecorationBuiltIn) return false;
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
                number <= (row->any[n].last ? row->any[n].last : row->any[n].first))
                return true;
    return false;
}

enum state { ABSENT, NEEDED, DROPPED };

// The row that a capability stands in; ROWS: none.
static int row_of(uint32_t capability) {
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < MOST_CAPABILITIES && rows[r].capabilities[c]; c++)
            if (rows[r].capabilities[c] == capability) return r;
    return ROWS;
}

static void find_states(const uint32_t *words, size_t count, enum state states[ROWS + 1]) {
    for (size_t at = 0; spirv_next(words, count, &at);) {
        if (spirv_op(&words[at]) != SpvOpCapability || spirv_length(&words[at]) < 2) continue;
        int r = row_of(words[at + 1]);
        states[r] = r == ROWS || is_needed(words, count, &rows[r]) ? NEEDED : DROPPED;
    }
}

// One that brings nothing but what is dropped.
static bool drops_extension(const enum state states[ROWS + 1], const uint32_t *i) {
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
    enum state states[ROWS + 1] = {0};
    find_states(words, count, states);
    size_t left = SPIRV_HEADER, length;
    for (size_t at = SPIRV_HEADER; at < count; at += length) {
        length = spirv_length(&words[at]);
        bool dropped =
            length > 1 && ((spirv_op(&words[at]) == SpvOpCapability && states[row_of(words[at + 1])] == DROPPED) ||
                              (spirv_op(&words[at]) == SpvOpExtension && drops_extension(states, &words[at])));
        if (dropped) continue;
        memmove(&words[left], &words[at], length * sizeof *words);
        left += length;
    }
    return left;
}
