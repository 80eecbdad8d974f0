// SPDX-License-Identifier: Apache-2.0
// Which words of instructions are ids: one line an instruction, written from the specification's own lists of operands.
#include "../spirv.h"

#include "../../../../reference/tests/unit.h"

// The words from 1 on: i id, n number, e a number or the id of a constant. The last character counts for all words
// behind it. Words without a use here are ids, like those of unknown instructions.
static const struct {
    uint32_t op;
    const char *words;
} lines[] = {
    {SpvOpNop, "i"},
    {SpvOpString, "i"},
    {SpvOpLine, "in"},
    {SpvOpExtension, "i"},
    {SpvOpExtInst, "iiini"},
    {SpvOpTypeBool, "i"},
    {SpvOpTypeInt, "in"},
    {SpvOpTypeFloat, "in"},
    {SpvOpTypeVector, "iini"},
    {SpvOpTypeMatrix, "iini"},
    {SpvOpTypeImage, "iin"},
    {SpvOpTypeSampler, "i"},
    {SpvOpTypeArray, "i"},
    {SpvOpTypeStruct, "i"},
    {SpvOpTypeOpaque, "in"},
    {SpvOpTypePointer, "ini"},
    {SpvOpTypeFunction, "i"},
    {SpvOpConstantFalse, "i"},
    {SpvOpConstant, "iin"},
    {SpvOpConstantComposite, "i"},
    {SpvOpConstantSampler, "iin"},
    {SpvOpConstantNull, "i"},
    {SpvOpSpecConstantFalse, "i"},
    {SpvOpSpecConstant, "iin"},
    {SpvOpSpecConstantComposite, "i"},
    {SpvOpSpecConstantOp, "iie"},
    {SpvOpFunction, "iini"},
    {SpvOpFunctionParameter, "i"},
    {SpvOpFunctionCall, "i"},
    {SpvOpVariable, "iini"},
    {SpvOpImageTexelPointer, "i"},
    {SpvOpLoad, "iiie"},
    {SpvOpStore, "iie"},
    {SpvOpCopyMemory, "iie"},
    {SpvOpCopyMemorySized, "iiie"},
    {SpvOpAccessChain, "i"},
    {SpvOpPtrAccessChain, "i"},
    {SpvOpArrayLength, "iiini"},
    {SpvOpVectorInsertDynamic, "i"},
    {SpvOpVectorShuffle, "iiiin"},
    {SpvOpCompositeConstruct, "i"},
    {SpvOpCompositeExtract, "iiin"},
    {SpvOpCompositeInsert, "iiiin"},
    {SpvOpCopyObject, "i"},
    {SpvOpSampledImage, "i"},
    {SpvOpImageSampleImplicitLod, "iiiie"},
    {SpvOpImageSampleExplicitLod, "iiiie"},
    {SpvOpImageSampleDrefImplicitLod, "iiiiie"},
    {SpvOpImageSampleDrefExplicitLod, "iiiiie"},
    {SpvOpImageSampleProjImplicitLod, "iiiie"},
    {SpvOpImageSampleProjExplicitLod, "iiiie"},
    {SpvOpImageSampleProjDrefImplicitLod, "iiiiie"},
    {SpvOpImageSampleProjDrefExplicitLod, "iiiiie"},
    {SpvOpImageFetch, "iiiie"},
    {SpvOpImageGather, "iiiiie"},
    {SpvOpImageDrefGather, "iiiiie"},
    {SpvOpImageRead, "iiiie"},
    {SpvOpImageWrite, "iiie"},
    {SpvOpImage, "i"},
    {SpvOpBitCount, "i"},
    {SpvOpAtomicIAdd, "i"},
    {SpvOpPhi, "i"},
    {SpvOpLoopMerge, "iin"},
    {SpvOpSelectionMerge, "in"},
    {SpvOpLabel, "i"},
    {SpvOpBranch, "i"},
    {SpvOpBranchConditional, "iiin"},
    {SpvOpSwitch, "iin"},
    {SpvOpKill, "i"},
    {SpvOpGroupAny, "i"},
    {SpvOpGroupBroadcast, "i"},
    {SpvOpGroupIAdd, "iiini"},
    {SpvOpGroupSMax, "iiini"},
    {SpvOpReadPipe, "i"},
    {SpvOpImageSparseSampleImplicitLod, "iiiie"},
    {SpvOpImageSparseSampleExplicitLod, "iiiie"},
    {SpvOpImageSparseSampleDrefImplicitLod, "iiiiie"},
    {SpvOpImageSparseSampleDrefExplicitLod, "iiiiie"},
    {SpvOpImageSparseSampleProjImplicitLod, "iiiie"},
    {SpvOpImageSparseSampleProjExplicitLod, "iiiie"},
    {SpvOpImageSparseSampleProjDrefImplicitLod, "iiiiie"},
    {SpvOpImageSparseSampleProjDrefExplicitLod, "iiiiie"},
    {SpvOpImageSparseFetch, "iiiie"},
    {SpvOpImageSparseGather, "iiiiie"},
    {SpvOpImageSparseDrefGather, "iiiiie"},
    {SpvOpImageSparseTexelsResident, "i"},
    {SpvOpImageSparseRead, "iiiie"},
    {SpvOpGroupNonUniformBallotBitExtract, "i"},
    {SpvOpGroupNonUniformBallotBitCount, "iiini"},
    {SpvOpGroupNonUniformBallotFindLSB, "i"},
    {SpvOpGroupNonUniformShuffleDown, "i"},
    {SpvOpGroupNonUniformIAdd, "iiini"},
    {SpvOpGroupNonUniformLogicalXor, "iiini"},
    {SpvOpGroupNonUniformQuadBroadcast, "i"},
    {OP_TYPE_UNTYPED_POINTER_KHR, "ini"},
    {OP_UNTYPED_VARIABLE_KHR, "iini"},
    {OP_UNTYPED_ARRAY_LENGTH_KHR, "iiiini"},
    {SpvOpSDot, "iiiini"},
    {SpvOpUDot, "iiiini"},
    {SpvOpSUDot, "iiiini"},
    {SpvOpSDotAccSat, "iiiiini"},
    {SpvOpUDotAccSat, "iiiiini"},
    {SpvOpSUDotAccSat, "iiiiini"},
    {OP_TYPE_COOPERATIVE_MATRIX_KHR, "i"},
    {OP_COOPERATIVE_MATRIX_LOAD_KHR, "iiiiie"},
    {OP_COOPERATIVE_MATRIX_STORE_KHR, "iiiie"},
    {OP_COOPERATIVE_MATRIX_MUL_ADD_KHR, "iiiiini"},
    {OP_COOPERATIVE_MATRIX_LENGTH_KHR, "i"},
    {SpvOpTypeCooperativeMatrixNV, "i"},
    {SpvOpCooperativeMatrixLoadNV, "iiiiie"},
    {SpvOpCooperativeMatrixStoreNV, "iiiie"},
    {SpvOpCooperativeMatrixMulAddNV, "i"},
    {UINT16_MAX, "i"},
};

enum { MOST_WORDS = 12, LAST_WORD = UINT16_MAX };

static void check_word(uint32_t op, uint32_t word, char expected) {
    static const char letters[] = {[OPERAND_ID] = 'i', [OPERAND_NUMBER] = 'n', [OPERAND_NUMBER_OR_CONSTANT] = 'e'};
    const uint32_t instruction = (uint32_t)LAST_WORD << 16 | op;
    const char found = letters[spirv_operand(&instruction, word)];
    if (found != expected) fail_msg("instruction %u, word %u: expected '%c', not '%c'", op, word, expected, found);
}

static void words_are_ids_or_numbers(void **state) {
    for (size_t l = 0; l < sizeof lines / sizeof *lines; l++) {
        const char *at = lines[l].words;
        for (uint32_t word = 1; word <= MOST_WORDS; word++, at += at[1] != '\0') check_word(lines[l].op, word, *at);
        check_word(lines[l].op, LAST_WORD, *at);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_are_ids_or_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
