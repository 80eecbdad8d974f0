// SPDX-License-Identifier: Apache-2.0
// SPIR-V as words: how instructions are walked, and the numbers of those that are looked at here.
// SPIR-V specification 1.6, sections 2.3 "Physical Layout" and 3 "Binary Form".
#ifndef VKASSAY_DEVICE_SPIRV_H
#define VKASSAY_DEVICE_SPIRV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SPIRV_FIRST = 0x07230203, SPIRV_HEADER = 5, SPIRV_BOUND = 3 };
enum { SPIRV_MOST_IDS = 4194303 }; // 2.17 "Universal Limits"

enum spirv_op {
    OP_UNDEF = 1,
    OP_SOURCE_CONTINUED = 2,
    OP_NAME = 5,
    OP_MEMBER_NAME = 6,
    OP_STRING = 7,
    OP_LINE = 8,
    OP_EXTENSION = 10,
    OP_EXT_INST_IMPORT = 11,
    OP_EXT_INST = 12,
    OP_MEMORY_MODEL = 14,
    OP_ENTRY_POINT = 15,
    OP_EXECUTION_MODE = 16,
    OP_CAPABILITY = 17,
    OP_TYPE_VOID = 19,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_VECTOR = 23,
    OP_TYPE_MATRIX = 24,
    OP_TYPE_ARRAY = 28,
    OP_TYPE_RUNTIME_ARRAY = 29,
    OP_TYPE_STRUCT = 30,
    OP_TYPE_POINTER = 32,
    OP_TYPE_FORWARD_POINTER = 39,
    OP_CONSTANT_TRUE = 41,
    OP_CONSTANT = 43,
    OP_CONSTANT_COMPOSITE = 44,
    OP_SPEC_CONSTANT_TRUE = 48,
    OP_SPEC_CONSTANT_FALSE = 49,
    OP_SPEC_CONSTANT = 50,
    OP_SPEC_CONSTANT_COMPOSITE = 51,
    OP_SPEC_CONSTANT_OP = 52,
    OP_FUNCTION = 54,
    OP_FUNCTION_PARAMETER = 55,
    OP_FUNCTION_END = 56,
    OP_FUNCTION_CALL = 57,
    OP_VARIABLE = 59,
    OP_IMAGE_TEXEL_POINTER = 60,
    OP_LOAD = 61,
    OP_STORE = 62,
    OP_COPY_MEMORY = 63,
    OP_COPY_MEMORY_SIZED = 64,
    OP_ACCESS_CHAIN = 65,
    OP_IN_BOUNDS_ACCESS_CHAIN = 66,
    OP_PTR_ACCESS_CHAIN = 67,
    OP_ARRAY_LENGTH = 68,
    OP_IN_BOUNDS_PTR_ACCESS_CHAIN = 70,
    OP_DECORATE = 71,
    OP_MEMBER_DECORATE = 72,
    OP_DECORATION_GROUP = 73,
    OP_GROUP_DECORATE = 74,
    OP_GROUP_MEMBER_DECORATE = 75,
    OP_COPY_OBJECT = 83,
    OP_I_SUB = 130,
    OP_SELECT = 169,
    OP_ATOMIC_LOAD = 227,
    OP_ATOMIC_STORE = 228,
    OP_ATOMIC_EXCHANGE = 229, // the first of those that read and write
    OP_ATOMIC_XOR = 242,      // the last
    OP_PHI = 245,
    OP_NO_LINE = 317,
    OP_MODULE_PROCESSED = 330,
    OP_EXECUTION_MODE_ID = 331,
    OP_DECORATE_ID = 332,
    OP_COOPERATIVE_MATRIX_LOAD_KHR = 4457,
    OP_COOPERATIVE_MATRIX_STORE_KHR = 4458,
    OP_COOPERATIVE_MATRIX_LOAD_NV = 5359,
    OP_COOPERATIVE_MATRIX_STORE_NV = 5360,
    OP_ATOMIC_F_MIN = 5614,
    OP_ATOMIC_F_MAX = 5615,
    OP_DECORATE_STRING = 5632,
    OP_MEMBER_DECORATE_STRING = 5633,
    OP_ATOMIC_F_ADD = 6035,
};

enum {
    DECORATION_SPEC_ID = 1,
    DECORATION_BUFFER_BLOCK = 3,
    DECORATION_ARRAY_STRIDE = 6,
    DECORATION_MATRIX_STRIDE = 7,
    DECORATION_BUILT_IN = 11,
    DECORATION_BINDING = 33,
    DECORATION_SET = 34,
    DECORATION_OFFSET = 35
};
enum { BUILT_IN_WORKGROUP_SIZE = 25 };
enum { MODE_LOCAL_SIZE = 17, MODE_LOCAL_SIZE_ID = 38 };
enum { MODEL_COMPUTE = 5 };
enum { CLASS_UNIFORM = 2, CLASS_SHARED = 4, CLASS_PUSH_CONSTANT = 9, CLASS_STORAGE = 12 };

static inline uint32_t spirv_op(const uint32_t *instruction) {
    return instruction[0] & 0xffff;
}
// Words of the instruction, itself included.
static inline uint32_t spirv_length(const uint32_t *instruction) {
    return instruction[0] >> 16;
}

// What a word of an instruction within a function, or of a definition, is (operands.c): the id of anything, a number,
// or a number or the id of a constant (an operand that a mask before it announces). Of instructions that are not known
// every word is taken to be an id.
enum operand_kind { OPERAND_ID, OPERAND_NUMBER, OPERAND_NUMBER_OR_CONSTANT };
enum operand_kind spirv_operand(const uint32_t *instruction, uint32_t word);

// Moves *at (0 before the first) to the next instruction; false at the end, or where the module is
// damaged.
static inline bool spirv_next(const uint32_t *words, size_t count, size_t *at) {
    if (count < SPIRV_HEADER || words[0] != SPIRV_FIRST) return false;
    *at = *at ? *at + spirv_length(&words[*at]) : SPIRV_HEADER;
    return *at < count && spirv_length(&words[*at]) != 0 && spirv_length(&words[*at]) <= count - *at;
}

#endif
