// SPDX-License-Identifier: Apache-2.0
// Matrices held by a subgroup together, by GL_KHR_cooperative_matrix. A device with only the older
// GL_NV_cooperative_matrix uses this; it differs in spelling. Elements have the type ELEMENT if it is defined;
// otherwise bf16 or i8 in cases of these types, else f16. Sums are i32 for i8, f16 with HALF_SUMS, of type SUM if
// defined, else f32. COOP_M, COOP_N and COOP_K are the sides.
//
// A position and a stride count elements of the array that is read; if it holds vectors, they count vectors.
// `by_column` is a constant: memory holds columns instead of rows.
#ifndef VKASSAY_COOPERATIVE
#define VKASSAY_COOPERATIVE

#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require

#if defined(DTYPE_I8)
#define SUM_T int
#define SUM_BITS 32
#elif defined(HALF_SUMS)
#define SUM_T float16_t
#define SUM_BITS 16
#elif defined(SUM)
#define SUM_T SUM
#else
#define SUM_T float
#define SUM_BITS 32
#endif

#ifdef FEATURE_COOPERATIVE_MATRIX_KHR

#extension GL_KHR_cooperative_matrix : require
#if defined(ELEMENT)
#define MATRIX_T ELEMENT
#elif defined(DTYPE_BF16)
#extension GL_EXT_bfloat16 : require
#define MATRIX_T bfloat16_t
#elif defined(DTYPE_I8)
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#define MATRIX_T int8_t
#else
#define MATRIX_T float16_t
#endif
#define MATRIX_A coopmat<MATRIX_T, gl_ScopeSubgroup, COOP_M, COOP_K, gl_MatrixUseA>
#define MATRIX_B coopmat<MATRIX_T, gl_ScopeSubgroup, COOP_K, COOP_N, gl_MatrixUseB>
#define MATRIX_SUM_OF(type) coopmat<type, gl_ScopeSubgroup, COOP_M, COOP_N, gl_MatrixUseAccumulator>
#define MATRIX_SUM MATRIX_SUM_OF(SUM_T)
#define MATRIX_LOAD(matrix, from, at, stride, by_column)                                      \
    coopMatLoad(matrix, from, at, stride,                                                     \
        by_column ? gl_CooperativeMatrixLayoutColumnMajor : gl_CooperativeMatrixLayoutRowMajor)
#define MATRIX_STORE(matrix, to, at, stride)                                                  \
    coopMatStore(matrix, to, at, stride, gl_CooperativeMatrixLayoutRowMajor)
#define MATRIX_STORE_BY_COLUMN(matrix, to, at, stride)                                        \
    coopMatStore(matrix, to, at, stride, gl_CooperativeMatrixLayoutColumnMajor)
#define MATRIX_MULTIPLY(a, b, sum) coopMatMulAdd(a, b, sum)

#else

#extension GL_NV_cooperative_matrix : require
#define MATRIX_A fcoopmatNV<16, gl_ScopeSubgroup, COOP_M, COOP_K>
#define MATRIX_B fcoopmatNV<16, gl_ScopeSubgroup, COOP_K, COOP_N>
#define MATRIX_SUM fcoopmatNV<SUM_BITS, gl_ScopeSubgroup, COOP_M, COOP_N>
#define MATRIX_LOAD(matrix, from, at, stride, by_column)                                      \
    coopMatLoadNV(matrix, from, at, stride, by_column)
#define MATRIX_STORE(matrix, to, at, stride) coopMatStoreNV(matrix, to, at, stride, false)
#define MATRIX_STORE_BY_COLUMN(matrix, to, at, stride) coopMatStoreNV(matrix, to, at, stride, true)
#define MATRIX_MULTIPLY(a, b, sum) coopMatMulAddNV(a, b, sum)

#endif

#endif
