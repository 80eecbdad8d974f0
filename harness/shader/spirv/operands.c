// SPDX-License-Identifier: Apache-2.0
// Distinguishes the operands of instructions: ids, numbers, or either. Sources: SPIR-V specification 1.6, 3.49
// "Instructions"; SPV_KHR_cooperative_matrix, SPV_NV_cooperative_matrix and SPV_KHR_untyped_pointers for their own
// instructions.
#include "spirv.h"

enum { TO_THE_END = UINT16_MAX, NUMBER = OPERAND_NUMBER, EITHER = OPERAND_NUMBER_OR_CONSTANT };

// Instructions from `op` to `last_op` (0: only `op`), in ascending order, and their words from `first` to `last`.
static const struct operand_row {
    uint16_t op, last_op, first, last, kind;
} rows[] = {
    {SpvOpLine, 0, 2, TO_THE_END, NUMBER},
    {SpvOpExtInst, 0, 4, 4, NUMBER},                       // number in its set
    {SpvOpTypeInt, SpvOpTypeFloat, 2, TO_THE_END, NUMBER}, // widths
    {SpvOpTypeVector, SpvOpTypeMatrix, 3, 3, NUMBER},      // how many
    {SpvOpTypeImage, 0, 3, TO_THE_END, NUMBER},
    {SpvOpTypeOpaque, 0, 2, TO_THE_END, NUMBER},
    {SpvOpTypePointer, 0, 2, 2, NUMBER}, // storage class
    {SpvOpConstant, 0, 3, TO_THE_END, NUMBER},
    {SpvOpConstantSampler, 0, 3, TO_THE_END, NUMBER},
    {SpvOpSpecConstant, 0, 3, TO_THE_END, NUMBER},
    {SpvOpSpecConstantOp, 0, 3, TO_THE_END, EITHER}, // its operands are constants
    {SpvOpFunction, 0, 3, 3, NUMBER},                // control
    {SpvOpVariable, 0, 3, 3, NUMBER},                // storage class
    {SpvOpLoad, 0, 4, TO_THE_END, EITHER},           // memory operands
    {SpvOpStore, SpvOpCopyMemory, 3, TO_THE_END, EITHER},
    {SpvOpCopyMemorySized, 0, 4, TO_THE_END, EITHER},
    {SpvOpArrayLength, 0, 4, 4, NUMBER}, // member
    {SpvOpVectorShuffle, 0, 5, TO_THE_END, NUMBER},
    {SpvOpCompositeExtract, 0, 4, TO_THE_END, NUMBER},
    {SpvOpCompositeInsert, 0, 5, TO_THE_END, NUMBER},
    {SpvOpImageSampleImplicitLod, SpvOpImageSampleExplicitLod, 5, TO_THE_END, EITHER}, // image operands
    // with a depth reference
    {SpvOpImageSampleDrefImplicitLod, SpvOpImageSampleDrefExplicitLod, 6, TO_THE_END, EITHER},
    {SpvOpImageSampleProjImplicitLod, SpvOpImageSampleProjExplicitLod, 5, TO_THE_END, EITHER},
    {SpvOpImageSampleProjDrefImplicitLod, SpvOpImageSampleProjDrefExplicitLod, 6, TO_THE_END, EITHER},
    {SpvOpImageFetch, 0, 5, TO_THE_END, EITHER},
    {SpvOpImageGather, SpvOpImageDrefGather, 6, TO_THE_END, EITHER},
    {SpvOpImageRead, 0, 5, TO_THE_END, EITHER},
    {SpvOpImageWrite, 0, 4, TO_THE_END, EITHER},
    {SpvOpLoopMerge, 0, 3, TO_THE_END, NUMBER},
    {SpvOpSelectionMerge, 0, 2, TO_THE_END, NUMBER},
    {SpvOpBranchConditional, 0, 4, TO_THE_END, NUMBER}, // weights
    {SpvOpSwitch, 0, 3, TO_THE_END, NUMBER},            // values and labels
    {SpvOpGroupIAdd, SpvOpGroupSMax, 4, 4, NUMBER},     // group operation
    {SpvOpImageSparseSampleImplicitLod, SpvOpImageSparseSampleExplicitLod, 5, TO_THE_END, EITHER},
    {SpvOpImageSparseSampleDrefImplicitLod, SpvOpImageSparseSampleDrefExplicitLod, 6, TO_THE_END, EITHER},
    {SpvOpImageSparseSampleProjImplicitLod, SpvOpImageSparseSampleProjExplicitLod, 5, TO_THE_END, EITHER},
    {SpvOpImageSparseSampleProjDrefImplicitLod, SpvOpImageSparseSampleProjDrefExplicitLod, 6, TO_THE_END, EITHER},
    {SpvOpImageSparseFetch, 0, 5, TO_THE_END, EITHER},
    {SpvOpImageSparseGather, SpvOpImageSparseDrefGather, 6, TO_THE_END, EITHER},
    {SpvOpImageSparseRead, 0, 5, TO_THE_END, EITHER},
    {SpvOpGroupNonUniformBallotBitCount, 0, 4, 4, NUMBER}, // group operation
    {SpvOpGroupNonUniformIAdd, SpvOpGroupNonUniformLogicalXor, 4, 4, NUMBER},
    {OP_TYPE_UNTYPED_POINTER_KHR, 0, 2, 2, NUMBER}, // storage class
    {OP_UNTYPED_VARIABLE_KHR, 0, 3, 3, NUMBER},
    {OP_UNTYPED_ARRAY_LENGTH_KHR, 0, 5, 5, NUMBER},
    {SpvOpSDot, SpvOpSUDot, 5, 5, NUMBER},                      // packed format
    {SpvOpSDotAccSat, SpvOpSUDotAccSat, 6, 6, NUMBER},          // with an accumulator
    {OP_COOPERATIVE_MATRIX_LOAD_KHR, 0, 6, TO_THE_END, EITHER}, // memory operands
    {OP_COOPERATIVE_MATRIX_STORE_KHR, 0, 5, TO_THE_END, EITHER},
    {OP_COOPERATIVE_MATRIX_MUL_ADD_KHR, 0, 6, 6, NUMBER},
    {SpvOpCooperativeMatrixLoadNV, 0, 6, TO_THE_END, EITHER},
    {SpvOpCooperativeMatrixStoreNV, 0, 5, TO_THE_END, EITHER},
};

enum operand_kind spirv_operand(const uint32_t *instruction, uint32_t word) {
    uint32_t op = spirv_op(instruction);
    for (const struct operand_row *row = rows; row < rows + sizeof rows / sizeof *rows && row->op <= op; row++) {
        if (op > (row->last_op ? row->last_op : row->op)) continue;
        if (word < row->first || word > row->last) return OPERAND_ID;
        return (enum operand_kind)row->kind;
    }
    return OPERAND_ID;
}
