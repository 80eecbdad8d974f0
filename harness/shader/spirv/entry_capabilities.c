// SPDX-License-Identifier: Apache-2.0
// Lists the instructions that need a capability. Sources: SPIR-V specification 1.6, 3.31 "Capability", and the
// "Enabling Capabilities" of instructions, types, built-ins and modes. A capability without a row counts as needed.
#include "changes.h"
#include "module.h"

#include <string.h>

enum need_kind { NEED_NOTHING, NEED_OP, NEED_INT, NEED_FLOAT, NEED_BUILT_IN, NEED_MODE, NEED_STORED };

// Places of variables with numbers of 16 and 8 bits. Each has a set of widths.
enum stored { STORED_BUFFER, STORED_UNIFORM, STORED_PUSH, STORED_PIPE, STORED_KINDS };

enum { MOST_CAPABILITIES = 14 };
static const struct capability_row {
    const char *extension; // the extension adding them; NULL: Vulkan 1.1 itself
    struct {
        enum need_kind kind;
        uint16_t first, last;                 // last 0: only the first
    } any[2];                                 // any of these needs it; with none, only stages other than compute do
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
    // Numbers of 16 or 8 bits in variables of a storage class.
    {"SPV_KHR_16bit_storage", {{NEED_STORED, STORED_BUFFER, 16}}, {SpvCapabilityStorageBuffer16BitAccess}},
    {"SPV_KHR_16bit_storage", {{NEED_STORED, STORED_UNIFORM, 16}}, {SpvCapabilityUniformAndStorageBuffer16BitAccess}},
    {"SPV_KHR_16bit_storage", {{NEED_STORED, STORED_PUSH, 16}}, {SpvCapabilityStoragePushConstant16}},
    {"SPV_KHR_16bit_storage", {{NEED_STORED, STORED_PIPE, 16}}, {SpvCapabilityStorageInputOutput16}},
    {"SPV_KHR_8bit_storage", {{NEED_STORED, STORED_BUFFER, 8}}, {SpvCapabilityStorageBuffer8BitAccess}},
    {"SPV_KHR_8bit_storage", {{NEED_STORED, STORED_UNIFORM, 8}}, {SpvCapabilityUniformAndStorageBuffer8BitAccess}},
    {"SPV_KHR_8bit_storage", {{NEED_STORED, STORED_PUSH, 8}}, {SpvCapabilityStoragePushConstant8}},
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

// Reads the number by which an instruction can need a capability; false: it has none of this kind.
static bool number_of(enum need_kind kind, const uint32_t *i, uint32_t *number) {
    uint32_t op = spirv_op(i), length = spirv_length(i);
    uint32_t decoration = op == SpvOpDecorate ? 2 : op == SpvOpMemberDecorate ? 3 : 0;
    switch (kind) {
    case NEED_NOTHING:
    case NEED_STORED:
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

// ---- numbers of 16 and 8 bits in variables

enum { MOST_NESTED = 16, MOST_LOOKS = 4096 };

// Returns the set of widths below 32 of the numbers in a type.
static uint32_t widths_in(const struct module *m, uint32_t type, int depth, int *looks) {
    const uint32_t *i;
    uint32_t widths = 0;
    if (depth == MOST_NESTED || ++*looks > MOST_LOOKS) return 8 | 16; // unknown: both
    if ((i = module_defined(m, type, SpvOpTypeInt, 4)) || (i = module_defined(m, type, SpvOpTypeFloat, 3)))
        return i[2] & (8 | 16);
    if ((i = module_defined(m, type, SpvOpTypeVector, 4)) || (i = module_defined(m, type, SpvOpTypeMatrix, 4)) ||
        (i = module_defined(m, type, SpvOpTypeArray, 4)) || (i = module_defined(m, type, SpvOpTypeRuntimeArray, 3)))
        return widths_in(m, i[2], depth + 1, looks);
    if ((i = module_defined(m, type, SpvOpTypeStruct, 2)))
        for (uint32_t member = 2; member < spirv_length(i); member++)
            widths |= widths_in(m, i[member], depth + 1, looks);
    return widths;
}

// Returns the place that a pointer's type refers to; STORED_KINDS: its target needs no capability of its own.
static enum stored stored_by(const struct module *m, const uint32_t *pointer) {
    switch (pointer[2]) {
    case SpvStorageClassUniform:
        return pointer[3] < m->bound && m->ids[pointer[3]].buffer_block ? STORED_BUFFER : STORED_UNIFORM;
    case SpvStorageClassStorageBuffer:
    case SpvStorageClassPhysicalStorageBuffer:
        return STORED_BUFFER;
    case SpvStorageClassPushConstant:
        return STORED_PUSH;
    case SpvStorageClassInput:
    case SpvStorageClassOutput:
        return STORED_PIPE;
    }
    return STORED_KINDS;
}

// Finds the widths in each place. An unreadable module counts as having both widths in each.
static void find_stored(const uint32_t *words, size_t count, uint32_t stored[STORED_KINDS]) {
    struct module m;
    struct error err;
    const bool read = module_open(&m, words, count, &err);
    for (int s = 0; s < STORED_KINDS; s++) stored[s] = read ? 0 : 8 | 16;
    for (size_t at = 0; read && spirv_next(words, count, &at);) {
        const uint32_t *i = &words[at], op = spirv_op(i);
        int looks = 0;
        if (op == OP_UNTYPED_VARIABLE_KHR || op == OP_TYPE_UNTYPED_POINTER_KHR)
            for (int s = 0; s < STORED_KINDS; s++) stored[s] = 8 | 16;
        const bool variable = op == SpvOpVariable && spirv_length(i) > 3;
        const uint32_t *pointer = module_defined(&m, variable ? i[1] : 0, SpvOpTypePointer, 4);
        if (op == SpvOpTypePointer && spirv_length(i) > 3 && i[2] == SpvStorageClassPhysicalStorageBuffer) pointer = i;
        enum stored kind = pointer ? stored_by(&m, pointer) : STORED_KINDS;
        if (kind != STORED_KINDS) stored[kind] |= widths_in(&m, pointer[3], 0, &looks);
    }
    module_close(&m);
}

// ---- capabilities needed

static bool is_needed(
    const uint32_t *words, size_t count, const struct capability_row *row, const uint32_t stored[STORED_KINDS]) {
    uint32_t number;
    if (row->any[0].kind == NEED_STORED) return stored[row->any[0].first] & row->any[0].last;
    for (size_t at = 0; spirv_next(words, count, &at);)
        for (int n = 0; n < 2; n++)
            if (number_of(row->any[n].kind, &words[at], &number) && number >= row->any[n].first &&
                number <= (row->any[n].last ? row->any[n].last : row->any[n].first))
                return true;
    return false;
}

enum capability_state { ABSENT, NEEDED, DROPPED };

// Returns the row of a capability; ROWS: none.
static int row_of(uint32_t capability) {
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < MOST_CAPABILITIES && rows[r].capabilities[c]; c++)
            if (rows[r].capabilities[c] == capability) return r;
    return ROWS;
}

// Replaces a capability for uniform and storage buffers by the one for storage buffers, if only these have such
// numbers.
static int narrowed(
    const uint32_t *words, size_t count, uint32_t *capability, int row, const uint32_t stored[STORED_KINDS]) {
    if (row == ROWS || rows[row].any[0].kind != NEED_STORED || rows[row].any[0].first != STORED_UNIFORM) return row;
    const uint32_t width = rows[row].any[0].last;
    if (stored[STORED_UNIFORM] & width || !(stored[STORED_BUFFER] & width)) return row;
    const uint32_t of_buffers =
        width == 16 ? SpvCapabilityStorageBuffer16BitAccess : SpvCapabilityStorageBuffer8BitAccess;
    for (size_t at = 0; spirv_next(words, count, &at);)
        if (spirv_op(&words[at]) == SpvOpCapability && spirv_length(&words[at]) > 1 && words[at + 1] == of_buffers)
            return row; // it is declared as well
    return row_of(*capability = of_buffers);
}

static void find_states(uint32_t *words, size_t count, enum capability_state states[ROWS + 1]) {
    uint32_t stored[STORED_KINDS];
    find_stored(words, count, stored);
    for (size_t at = 0; spirv_next(words, count, &at);) {
        if (spirv_op(&words[at]) != SpvOpCapability || spirv_length(&words[at]) < 2) continue;
        int r = narrowed(words, count, &words[at + 1], row_of(words[at + 1]), stored);
        states[r] = r == ROWS || is_needed(words, count, &rows[r], stored) ? NEEDED : DROPPED;
    }
}

// Returns whether an extension brings only dropped capabilities.
static bool drops_extension(const enum capability_state states[ROWS + 1], const uint32_t *i) {
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
    enum capability_state states[ROWS + 1] = {0};
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
