// SPDX-License-Identifier: Apache-2.0
// SPIR-V as words, and the walk over its instructions. Numbers come from the Khronos headers. SPIR-V specification
// 1.6, sections 2.3 "Physical Layout" and 3 "Binary Form".
#ifndef VKASSAY_SPIRV_SPIRV_H
#define VKASSAY_SPIRV_SPIRV_H

#include <spirv/unified1/spirv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SPIRV_HEADER = 5, SPIRV_BOUND = 3 };
enum { SPIRV_MOST_IDS = 4194303 }; // 2.17 "Universal Limits"

// Numbers missing from the headers of Vulkan 1.3.239 (Debian 12). They have names of our own, because newer headers
// have the originals.
enum {
    OP_TYPE_UNTYPED_POINTER_KHR = 4417,
    OP_UNTYPED_VARIABLE_KHR = 4418,
    OP_UNTYPED_ARRAY_LENGTH_KHR = 4425,
    OP_TYPE_COOPERATIVE_MATRIX_KHR = 4456,
    OP_COOPERATIVE_MATRIX_LOAD_KHR = 4457,
    OP_COOPERATIVE_MATRIX_STORE_KHR = 4458,
    OP_COOPERATIVE_MATRIX_MUL_ADD_KHR = 4459,
    OP_COOPERATIVE_MATRIX_LENGTH_KHR = 4460,
    OP_COOPERATIVE_MATRIX_LOAD_TENSOR_NV = 5367,
    OP_COOPERATIVE_MATRIX_STORE_TENSOR_NV = 5368,
    OP_TYPE_TENSOR_LAYOUT_NV = 5370,
    OP_TYPE_TENSOR_VIEW_NV = 5371,
    CAPABILITY_COOPERATIVE_MATRIX_KHR = 6022,
    CAPABILITY_BFLOAT16_TYPE_KHR = 5116,
    CAPABILITY_BFLOAT16_DOT_PRODUCT_KHR = 5117,
    CAPABILITY_BFLOAT16_COOPERATIVE_MATRIX_KHR = 5118,
    CAPABILITY_COOPERATIVE_MATRIX_REDUCTIONS_NV = 5430,
    CAPABILITY_COOPERATIVE_MATRIX_CONVERSIONS_NV = 5431,
    CAPABILITY_COOPERATIVE_MATRIX_PER_ELEMENT_OPERATIONS_NV = 5432,
    CAPABILITY_COOPERATIVE_MATRIX_TENSOR_ADDRESSING_NV = 5433,
    CAPABILITY_COOPERATIVE_MATRIX_BLOCK_LOADS_NV = 5434,
    CAPABILITY_TENSOR_ADDRESSING_NV = 5439,
    CAPABILITY_FLOAT8_EXT = 4212,
    CAPABILITY_FLOAT8_COOPERATIVE_MATRIX_EXT = 4213,
};

static inline uint32_t spirv_op(const uint32_t *instruction) {
    return instruction[0] & SpvOpCodeMask;
}
// Returns the number of words of the instruction, the first included.
static inline uint32_t spirv_length(const uint32_t *instruction) {
    return instruction[0] >> SpvWordCountShift;
}

// Returns the kind of a word in an instruction within a function, or in a definition (operands.c). It is an id, a
// number, or either a number or the id of a constant (an operand announced by a mask before it). Every word of an
// unknown instruction counts as an id.
enum operand_kind { OPERAND_ID, OPERAND_NUMBER, OPERAND_NUMBER_OR_CONSTANT };
enum operand_kind spirv_operand(const uint32_t *instruction, uint32_t word);

// Returns the word of an instruction's result: 0 for none, 1 for a result without a type, 2 behind its type
// (grammar.c). Unknown instructions count as having both, because nearly all later additions to SPIR-V have both.
uint32_t spirv_result(uint32_t op);

// Moves *at (0 before the first) to the next instruction. False: the module ends or is damaged there.
static inline bool spirv_next(const uint32_t *words, size_t count, size_t *at) {
    if (count < SPIRV_HEADER || words[0] != SpvMagicNumber) return false;
    *at = *at ? *at + spirv_length(&words[*at]) : SPIRV_HEADER;
    return *at < count && spirv_length(&words[*at]) != 0 && spirv_length(&words[*at]) <= count - *at;
}

#endif
