// SPDX-License-Identifier: Apache-2.0
// Which operands of an instruction are ids. SPIR-V specification 1.6, 3.49 "Instructions";
// SPV_KHR_cooperative_matrix, SPV_NV_cooperative_matrix and SPV_KHR_untyped_pointers for theirs.
#include "spirv.h"

enum { TO_THE_END = UINT16_MAX, NUMBER = OPERAND_NUMBER, EITHER = OPERAND_NUMBER_OR_CONSTANT };

// Instructions from `op` to `last_op`, and their words from `first` to `last`.
static const struct row {
    uint16_t op, last_op, first, last, kind;
} rows[] = {
    {8, 8, 2, TO_THE_END, NUMBER},   // OpLine
    {12, 12, 4, 4, NUMBER},          // OpExtInst: which one
    {21, 22, 2, TO_THE_END, NUMBER}, // OpTypeInt, OpTypeFloat: widths
    {23, 24, 3, 3, NUMBER},          // OpTypeVector, OpTypeMatrix: how many
    {25, 25, 3, TO_THE_END, NUMBER}, // OpTypeImage
    {31, 31, 2, TO_THE_END, NUMBER}, // OpTypeOpaque
    {32, 32, 2, 2, NUMBER},          // OpTypePointer: storage class
    {43, 43, 3, TO_THE_END, NUMBER}, // OpConstant
    {45, 45, 3, TO_THE_END, NUMBER}, // OpConstantSampler
    {50, 50, 3, TO_THE_END, NUMBER}, // OpSpecConstant
    {52, 52, 3, TO_THE_END, EITHER}, // OpSpecConstantOp: of constants alone
    {54, 54, 3, 3, NUMBER},          // OpFunction: control
    {59, 59, 3, 3, NUMBER},          // OpVariable: storage class
    {61, 61, 4, TO_THE_END, EITHER}, // OpLoad: memory operands
    {62, 63, 3, TO_THE_END, EITHER}, // OpStore, OpCopyMemory
    {64, 64, 4, TO_THE_END, EITHER}, // OpCopyMemorySized
    {68, 68, 4, 4, NUMBER},          // OpArrayLength: member
    {79, 79, 5, TO_THE_END, NUMBER}, // OpVectorShuffle
    {81, 81, 4, TO_THE_END, NUMBER}, // OpCompositeExtract
    {82, 82, 5, TO_THE_END, NUMBER}, // OpCompositeInsert
    {87, 88, 5, TO_THE_END, EITHER}, // OpImageSample...: image operands
    {89, 90, 6, TO_THE_END, EITHER}, // with a depth to compare with
    {91, 92, 5, TO_THE_END, EITHER}, {93, 94, 6, TO_THE_END, EITHER}, {95, 95, 5, TO_THE_END, EITHER}, // OpImageFetch
    {96, 97, 6, TO_THE_END, EITHER},   // OpImageGather, OpImageDrefGather
    {98, 98, 5, TO_THE_END, EITHER},   // OpImageRead
    {99, 99, 4, TO_THE_END, EITHER},   // OpImageWrite
    {246, 246, 3, TO_THE_END, NUMBER}, // OpLoopMerge
    {247, 247, 2, TO_THE_END, NUMBER}, // OpSelectionMerge
    {250, 250, 4, TO_THE_END, NUMBER}, // OpBranchConditional: weights
    {251, 251, 3, TO_THE_END, NUMBER}, // OpSwitch: values and labels
    {264, 271, 4, 4, NUMBER},          // OpGroup...: group operation
    {305, 306, 5, TO_THE_END, EITHER}, // OpImageSparse..., as those above
    {307, 308, 6, TO_THE_END, EITHER}, {309, 310, 5, TO_THE_END, EITHER}, {311, 312, 6, TO_THE_END, EITHER},
    {313, 313, 5, TO_THE_END, EITHER}, {314, 315, 6, TO_THE_END, EITHER}, {320, 320, 5, TO_THE_END, EITHER},
    {342, 342, 4, 4, NUMBER},            // OpGroupNonUniformBallotBitCount: group operation
    {349, 364, 4, 4, NUMBER},            // OpGroupNonUniformIAdd to LogicalXor
    {4417, 4417, 2, 2, NUMBER},          // OpTypeUntypedPointerKHR: storage class
    {4418, 4418, 3, 3, NUMBER},          // OpUntypedVariableKHR
    {4425, 4425, 5, 5, NUMBER},          // OpUntypedArrayLengthKHR
    {4450, 4452, 5, 5, NUMBER},          // OpSDot, OpUDot, OpSUDot: packed format
    {4453, 4455, 6, 6, NUMBER},          // those that add up
    {4457, 4457, 6, TO_THE_END, EITHER}, // OpCooperativeMatrixLoadKHR: memory operands
    {4458, 4458, 5, TO_THE_END, EITHER}, // OpCooperativeMatrixStoreKHR
    {4459, 4459, 6, 6, NUMBER},          // OpCooperativeMatrixMulAddKHR
    {5359, 5359, 6, TO_THE_END, EITHER}, // OpCooperativeMatrixLoadNV
    {5360, 5360, 5, TO_THE_END, EITHER}, // OpCooperativeMatrixStoreNV
};

enum operand_kind spirv_operand(const uint32_t *instruction, uint32_t word) {
    uint32_t op = spirv_op(instruction);
    for (const struct row *row = rows; row < rows + sizeof rows / sizeof *rows && row->op <= op; row++) {
        if (op > row->last_op) continue;
        if (word < row->first || word > row->last) return OPERAND_ID;
        return (enum operand_kind)row->kind;
    }
    return OPERAND_ID;
}
