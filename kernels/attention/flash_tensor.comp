// SPDX-License-Identifier: Apache-2.0
// Attention in one walk over the keys by matrices that a workgroup holds together
// (GL_NV_cooperative_matrix2): ROWS queries of a head, KEYS keys at a time.
//
// Scores never leave their matrix: masks and exponentials are functions of each element, and the
// weights become a factor of the next product in 16 bits, and of one with a matrix of ones, whose
// columns are their sums. Rows' maxima are reductions into a matrix of as few columns as may be, all
// alike, which is made as wide as another one where both meet. Exponentials are of base 2; the scale
// holds the rest. Keys and values beyond the end come as zeros, and a score there is minus infinity.
#version 450
#extension GL_GOOGLE_include_directive : require
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#ifdef DTYPE_BF16
#extension GL_EXT_bfloat16 : require
#endif
#define FREE_ROUNDING // the units that multiply matrices round as they like
#define ALL_CONTROLS
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"
#include "heads.glsl"

layout(constant_id = 3) const uint ROWS = 64;
layout(constant_id = 4) const uint KEYS = 64;
layout(constant_id = 5) const uint HEAD = 128;

#ifdef DTYPE_BF16
#define MATRIX_T bfloat16_t
#else
#define MATRIX_T float16_t
#endif

layout(binding = 0) readonly buffer Q { MATRIX_T q[]; };
layout(binding = 1) readonly buffer K { MATRIX_T k[]; };
layout(binding = 2) readonly buffer V { MATRIX_T v[]; };
layout(binding = 3) buffer O { MATRIX_T o[]; };

// The fewest columns that matrices of such a workgroup may have.
const uint NARROW = WG_X > 128 ? 32 : 16;

#define SCORES coopmat<float, gl_ScopeWorkgroup, ROWS, KEYS, gl_MatrixUseAccumulator>
#define OUTPUTS coopmat<float, gl_ScopeWorkgroup, ROWS, HEAD, gl_MatrixUseAccumulator>
#define OF_ROWS coopmat<float, gl_ScopeWorkgroup, ROWS, NARROW, gl_MatrixUseAccumulator>
#define WEIGHTS coopmat<MATRIX_T, gl_ScopeWorkgroup, ROWS, KEYS, gl_MatrixUseA>

float larger(const in float a, const in float b) {
    return max(a, b);
}
// Of columns that are all alike: any of them, for a matrix of another width.
float any_of(const in float a, const in float b) {
    return a;
}
float larger_of(const in uint32_t row, const in uint32_t col, const in float a, const in float b) {
    return max(a, b);
}
float power(const in uint32_t row, const in uint32_t col, const in float x) {
    return exp2(x);
}
float inverse(const in uint32_t row, const in uint32_t col, const in float x) {
    return x > 0.0 ? 1.0 / x : 0.0;
}

// Scores of keys that the query sees; with a mask that is added.
float seen(const in uint32_t row, const in uint32_t col, const in float product, const in uint32_t first_query,
    const in uint32_t first_key) {
    const uint query = first_query + row, key = first_key + col;
    if (!sees(query, key)) return NEGATIVE_INFINITY;
#ifdef MASKED
    return product + LOAD(mask[query * keys + key]) * 1.44269504;
#else
    return product;
#endif
}

#define CLAMPED tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV>
#define NEW_CLAMPED createTensorLayoutNV(2, gl_CooperativeMatrixClampModeConstantNV)

void main() {
    const uint first_query = (gl_NumWorkGroups.x - 1 - gl_WorkGroupID.x) * ROWS;
    const uint end = end_of_keys(min(first_query + ROWS, queries) - 1);
    const uint q_start = q_head() * queries * head_dim, k_start = kv_head() * keys * head_dim;
    const float to_base_2 = scale * 1.44269504;

    CLAMPED lines = setTensorLayoutDimensionNV(NEW_CLAMPED, queries, head_dim);
    CLAMPED edge = setTensorLayoutDimensionNV(NEW_CLAMPED, keys, head_dim);
    tensorLayoutNV<2> inner = setTensorLayoutDimensionNV(createTensorLayoutNV(2), keys, HEAD);
    tensorViewNV<2, false, 1, 0> turned = createTensorViewNV(2, false, 1, 0);

    coopmat<MATRIX_T, gl_ScopeWorkgroup, ROWS, HEAD, gl_MatrixUseA> rows;
    coopMatLoadTensorNV(rows, q, q_start, sliceTensorLayoutNV(lines, first_query, ROWS, 0, HEAD));
    OUTPUTS outputs = OUTPUTS(0.0), factors;
    OF_ROWS most = OF_ROWS(LEAST), divisor = OF_ROWS(0.0);
    const coopmat<MATRIX_T, gl_ScopeWorkgroup, KEYS, NARROW, gl_MatrixUseB> ones =
        coopmat<MATRIX_T, gl_ScopeWorkgroup, KEYS, NARROW, gl_MatrixUseB>(MATRIX_T(1.0));
#ifdef MASKED
    const uint whole = 0;
#else
    const uint whole = end_of_keys(first_query); // up to where every query sees every key
#endif

    [[dont_unroll]] for (uint key = 0; key < end; key += KEYS) {
        const bool inside = head_dim == HEAD && key + KEYS <= keys;
        coopmat<MATRIX_T, gl_ScopeWorkgroup, HEAD, KEYS, gl_MatrixUseB> columns;
        if (inside)
            coopMatLoadTensorNV(columns, k, k_start, sliceTensorLayoutNV(inner, key, KEYS, 0, HEAD), turned);
        else
            coopMatLoadTensorNV(columns, k, k_start, sliceTensorLayoutNV(edge, key, KEYS, 0, HEAD), turned);
        SCORES scores = coopMatMulAdd(rows, columns, SCORES(0.0));
        scores = scores * to_base_2;
        if (key + KEYS > whole) coopMatPerElementNV(scores, scores, seen, first_query, key);

        OF_ROWS reached;
        SCORES subtracted;
        coopMatReduceNV(reached, scores, gl_CooperativeMatrixReduceRowNV, larger);
        coopMatPerElementNV(reached, reached, larger_of, most);
        coopMatReduceNV(subtracted, reached, gl_CooperativeMatrixReduceRowNV, any_of);
        coopMatPerElementNV(scores, scores - subtracted, power);
        coopMatPerElementNV(most, most - reached, power); // by how much what there is shrinks
        coopMatReduceNV(factors, most, gl_CooperativeMatrixReduceRowNV, any_of);
        outputs = outputs * factors;
        const WEIGHTS shares = WEIGHTS(scores);
        divisor = coopMatMulAdd(shares, ones, divisor * most);
        most = reached;

        coopmat<MATRIX_T, gl_ScopeWorkgroup, KEYS, HEAD, gl_MatrixUseB> values;
        if (inside)
            coopMatLoadTensorNV(values, v, k_start, sliceTensorLayoutNV(inner, key, KEYS, 0, HEAD));
        else
            coopMatLoadTensorNV(values, v, k_start, sliceTensorLayoutNV(edge, key, KEYS, 0, HEAD));
        outputs = coopMatMulAdd(shares, values, outputs);
    }
    coopMatPerElementNV(divisor, divisor, inverse);
    coopMatReduceNV(factors, divisor, gl_CooperativeMatrixReduceRowNV, any_of);
    outputs = outputs * factors;
    coopMatStoreTensorNV(coopmat<MATRIX_T, gl_ScopeWorkgroup, ROWS, HEAD, gl_MatrixUseAccumulator>(outputs), o, q_start,
        sliceTensorLayoutNV(lines, first_query, ROWS, 0, HEAD));
}
