// SPDX-License-Identifier: Apache-2.0
// Matrices that a subgroup holds together, f16 times f16 into f32, under whichever of the two
// extensions the compiler and the device share: GL_KHR_cooperative_matrix, or the older
// GL_NV_cooperative_matrix, which differs in spelling alone. COOP_M, COOP_N and COOP_K are their
// sides.
//
// A position and a stride count elements of the array that is read, vectors where it holds vectors.
// `by_column` is a constant: columns lie in memory instead of rows.
#ifndef VKASSAY_COOPERATIVE
#define VKASSAY_COOPERATIVE

#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require

#if defined(FEATURE_COOPERATIVE_MATRIX_KHR) && defined(GL_KHR_cooperative_matrix)

#extension GL_KHR_cooperative_matrix : require
#define MATRIX_A coopmat<float16_t, gl_ScopeSubgroup, COOP_M, COOP_K, gl_MatrixUseA>
#define MATRIX_B coopmat<float16_t, gl_ScopeSubgroup, COOP_K, COOP_N, gl_MatrixUseB>
#define MATRIX_SUM coopmat<float, gl_ScopeSubgroup, COOP_M, COOP_N, gl_MatrixUseAccumulator>
#define MATRIX_LOAD(matrix, from, at, stride, by_column)                                      \
    coopMatLoad(matrix, from, at, stride,                                                     \
        by_column ? gl_CooperativeMatrixLayoutColumnMajor : gl_CooperativeMatrixLayoutRowMajor)
#define MATRIX_STORE(matrix, to, at, stride)                                                  \
    coopMatStore(matrix, to, at, stride, gl_CooperativeMatrixLayoutRowMajor)
#define MATRIX_MULTIPLY(a, b, sum) coopMatMulAdd(a, b, sum)

#else

#extension GL_NV_cooperative_matrix : require
#define MATRIX_A fcoopmatNV<16, gl_ScopeSubgroup, COOP_M, COOP_K>
#define MATRIX_B fcoopmatNV<16, gl_ScopeSubgroup, COOP_K, COOP_N>
#define MATRIX_SUM fcoopmatNV<32, gl_ScopeSubgroup, COOP_M, COOP_N>
#define MATRIX_LOAD(matrix, from, at, stride, by_column)                                      \
    coopMatLoadNV(matrix, from, at, stride, by_column)
#define MATRIX_STORE(matrix, to, at, stride) coopMatStoreNV(matrix, to, at, stride, false)
#define MATRIX_MULTIPLY(a, b, sum) coopMatMulAddNV(a, b, sum)

#endif

#endif
