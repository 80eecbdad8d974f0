// SPDX-License-Identifier: Apache-2.0
// The names of capabilities, and the results of instructions. Most come from the installed headers: the Makefile writes
// them to spirv_grammar.h, as rows CAPABILITY(NUMBER, NAME) and RESULT(OPCODE, HAS_RESULT, HAS_TYPE).
#include "interface.h"
#include "spirv.h"

#define CAPABILITY(NUMBER, NAME) {NUMBER, NAME},
#define RESULT(OPCODE, HAS_RESULT, HAS_TYPE)

// The first row of a number counts. The rows before the headers' are names of shaders for computing that headers of
// Vulkan 1.3.239 (Debian 12) lack or spell otherwise. Source: the registry of extensions.
static const struct {
    uint32_t number;
    const char *name;
} capabilities[] = {
    {4174, "TensorsARM"},
    {4201, "CooperativeMatrixLayoutsARM"},
    {CAPABILITY_FLOAT8_EXT, "Float8EXT"},
    {CAPABILITY_FLOAT8_COOPERATIVE_MATRIX_EXT, "Float8CooperativeMatrixEXT"},
    {4228, "Float6EXT"},
    {4229, "Float4EXT"},
    {4230, "Float8UnsignedE8M0EXT"},
    {4231, "MXInt8EXT"},
    {4232, "BitcastExtractEXT"},
    {SpvCapabilityUniformAndStorageBuffer16BitAccess, "UniformAndStorageBuffer16BitAccess"},
    {4473, "UntypedPointersKHR"},
    {5087, "QuadControlKHR"},
    {CAPABILITY_BFLOAT16_TYPE_KHR, "BFloat16TypeKHR"},
    {CAPABILITY_BFLOAT16_DOT_PRODUCT_KHR, "BFloat16DotProductKHR"},
    {CAPABILITY_BFLOAT16_COOPERATIVE_MATRIX_KHR, "BFloat16CooperativeMatrixKHR"},
    {5128, "DescriptorHeapEXT"},
    {5146, "ConstantDataKHR"},
    {5156, "PoisonFreezeKHR"},
    {5288, "ComputeDerivativeGroupQuadsKHR"},
    {5297, "GroupNonUniformPartitionedEXT"},
    {5350, "ComputeDerivativeGroupLinearKHR"},
    {5394, "CooperativeVectorNV"},
    {5404, "AtomicFloat16VectorNV"},
    {5414, "RawAccessChainsNV"},
    {5425, "LongVectorEXT"},
    {5426, "Shader64BitIndexingEXT"},
    {5429, "CooperativeMatrixConversionsEXT"},
    {CAPABILITY_COOPERATIVE_MATRIX_REDUCTIONS_NV, "CooperativeMatrixReductionsEXT"},
    {CAPABILITY_COOPERATIVE_MATRIX_CONVERSIONS_NV, "CooperativeMatrixConversionsNV"},
    {CAPABILITY_COOPERATIVE_MATRIX_PER_ELEMENT_OPERATIONS_NV, "CooperativeMatrixPerElementOperationsEXT"},
    {CAPABILITY_COOPERATIVE_MATRIX_TENSOR_ADDRESSING_NV, "CooperativeMatrixTensorAddressingNV"},
    {CAPABILITY_COOPERATIVE_MATRIX_BLOCK_LOADS_NV, "CooperativeMatrixBlockLoadsNV"},
    {5438, "CooperativeMatrixGetCoordinateEXT"},
    {CAPABILITY_TENSOR_ADDRESSING_NV, "TensorAddressingNV"},
    {5447, "CooperativeMatrixDecodeVectorNV"},
    {CAPABILITY_COOPERATIVE_MATRIX_KHR, "CooperativeMatrixKHR"},
    {6024, "ReplicatedCompositesEXT"},
    {6029, "FloatControls2"},
    {6030, "FMAKHR"},
    {6912, "DotProductFloat16AccFloat32VALVE"},
    {6913, "DotProductFloat16AccFloat16VALVE"},
    {6914, "DotProductBFloat16AccVALVE"},
    {6915, "DotProductFloat8AccFloat32VALVE"},
#include "spirv_grammar.h"
};

const char *capability_name(uint32_t number) {
    for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++)
        if (capabilities[i].number == number) return capabilities[i].name;
    return NULL;
}

#undef CAPABILITY
#undef RESULT
#define CAPABILITY(NUMBER, NAME)
#define RESULT(OPCODE, HAS_RESULT, HAS_TYPE)                                                                           \
    case OPCODE:                                                                                                       \
        return HAS_RESULT ? 1 + HAS_TYPE : 0;

uint32_t spirv_result(uint32_t op) {
    if (op == OP_COOPERATIVE_MATRIX_STORE_KHR || op == OP_COOPERATIVE_MATRIX_STORE_TENSOR_NV) return 0;
    switch (op) {
#include "spirv_grammar.h"
    default:
        return 2;
    }
}
