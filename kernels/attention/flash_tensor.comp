// SPDX-License-Identifier: Apache-2.0
// Attention in one walk over the keys by matrices held by a workgroup together (GL_NV_cooperative_matrix2): ROWS
// queries of a head, KEYS keys at a time.
//
// Scores never leave their matrix: masks and exponentials are functions of each element. The weights become a factor
// of the next product in 16 bits; their product with a matrix of ones gives their sums. Maxima of rows are reductions
// into a matrix with as few columns as possible, all equal; it is widened to meet another matrix. Exponentials have
// base 2, and the scale includes the conversion. Keys and values beyond the end are zeros, and a score there is minus
// infinity.
//
// Columns of a head are processed in slices of SLICE. Whole blocks of keys visible to every query have a loop without
// a branch, so that the driver can load ahead. The other blocks come after. Workgroups with most keys start first,
// with all heads side by side.
#version 450
#extension GL_GOOGLE_include_directive : require
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#ifdef DTYPE_BF16
#extension GL_EXT_bfloat16 : require
#endif
#define FREE_ROUNDING // matrix units round as they like
#define ALL_CONTROLS
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"
#define HEADS_ON_X
#include "heads.glsl"

layout(constant_id = 3) const uint ROWS = 64;
layout(constant_id = 4) const uint KEYS = 64;
layout(constant_id = 5) const uint HEAD = 128;
layout(constant_id = 6) const uint SLICE = 128;

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
const uint SLICES = HEAD / SLICE;
#define EACH_SLICE(p) [[unroll]] for (uint p = 0; p < SLICES; p++)

#define SCORES coopmat<float, gl_ScopeWorkgroup, ROWS, KEYS, gl_MatrixUseAccumulator>
#define OUTPUTS(type) coopmat<type, gl_ScopeWorkgroup, ROWS, SLICE, gl_MatrixUseAccumulator>
#define OF_ROWS coopmat<float, gl_ScopeWorkgroup, ROWS, NARROW, gl_MatrixUseAccumulator>
#define ROWS_OF_SLICE coopmat<MATRIX_T, gl_ScopeWorkgroup, ROWS, SLICE, gl_MatrixUseA>
#define WEIGHTS coopmat<MATRIX_T, gl_ScopeWorkgroup, ROWS, KEYS, gl_MatrixUseA>

float larger(const in float a, const in float b) {
    return max(a, b);
}
// Returns any of several equal columns, for a matrix of another width.
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

// Returns the score of a key that the query sees, with the mask added; otherwise -inf.
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

#define ROWS_OF(lines, p) sliceTensorLayoutNV(lines, first_query, ROWS, p * SLICE, SLICE)
#define KEYS_OF(lines, p) sliceTensorLayoutNV(lines, key, KEYS, p * SLICE, SLICE), turned
#define VALUES_OF(lines, p) sliceTensorLayoutNV(lines, key, KEYS, p * SLICE, SLICE)

// Loads a block of keys or values. HEAD is known to be whole vectors, head_dim is not.
#define LOAD_INSIDE(matrix, from, place) coopMatLoadTensorNV(matrix, from, kv_head() * keys * HEAD, place(inner, p));
#define LOAD_ANYWHERE(matrix, from, place)                                                     \
    if (inside)                                                                                \
        LOAD_INSIDE(matrix, from, place)                                                       \
    else                                                                                       \
        coopMatLoadTensorNV(matrix, from, kv_head() * keys * head_dim, place(edge, p));
// Hides unseen keys and adds the mask.
#ifdef MASKED
#define HIDE coopMatPerElementNV(scores, scores, seen, first_query, key);
#define HIDE_INSIDE HIDE
#else
#define HIDE if (key + KEYS > whole) coopMatPerElementNV(scores, scores, seen, first_query, key);
#define HIDE_INSIDE
#endif

#define TAKE_KEYS(load, hide)                                                                  \
    SCORES scores = SCORES(0.0), subtracted;                                                   \
    EACH_SLICE(p) {                                                                            \
        coopmat<MATRIX_T, gl_ScopeWorkgroup, SLICE, KEYS, gl_MatrixUseB> columns;              \
        load(columns, k, KEYS_OF)                                                              \
        scores = coopMatMulAdd(rows[p], columns, scores);                                      \
    }                                                                                          \
    scores = scores * to_base_2;                                                               \
    hide                                                                                       \
                                                                                               \
    OF_ROWS reached;                                                                           \
    coopMatReduceNV(reached, scores, gl_CooperativeMatrixReduceRowNV, larger);                 \
    coopMatPerElementNV(reached, reached, larger_of, most);                                    \
    coopMatPerElementNV(most, most - reached, power); /* the scale of all sums so far */       \
    coopMatReduceNV(factors, most, gl_CooperativeMatrixReduceRowNV, any_of);                   \
    EACH_SLICE(p) outputs[p] = outputs[p] * factors;                                           \
    coopMatReduceNV(subtracted, reached, gl_CooperativeMatrixReduceRowNV, any_of);             \
    coopMatPerElementNV(scores, scores - subtracted, power);                                   \
    const WEIGHTS shares = WEIGHTS(scores);                                                    \
    divisor = coopMatMulAdd(shares, ones, divisor * most);                                     \
    most = reached;                                                                            \
                                                                                               \
    EACH_SLICE(p) {                                                                            \
        coopmat<MATRIX_T, gl_ScopeWorkgroup, KEYS, SLICE, gl_MatrixUseB> values;               \
        load(values, v, VALUES_OF)                                                             \
        outputs[p] = coopMatMulAdd(shares, values, outputs[p]);                                \
    }

void main() {
    const uint first_query = (gl_NumWorkGroups.y - 1 - gl_WorkGroupID.y) * ROWS;
    const uint end = end_of_keys(min(first_query + ROWS, queries) - 1);
    const bool whole_rows = head_dim == HEAD && first_query + ROWS <= queries;
    const float to_base_2 = scale * 1.44269504;

    CLAMPED lines = setTensorLayoutDimensionNV(NEW_CLAMPED, queries, head_dim);
    CLAMPED edge = setTensorLayoutDimensionNV(NEW_CLAMPED, keys, head_dim);
    tensorLayoutNV<2> inner_lines = setTensorLayoutDimensionNV(createTensorLayoutNV(2), queries, HEAD);
    tensorLayoutNV<2> inner = setTensorLayoutDimensionNV(createTensorLayoutNV(2), keys, HEAD);
    tensorViewNV<2, false, 1, 0> turned = createTensorViewNV(2, false, 1, 0);

    ROWS_OF_SLICE rows[SLICES];
    OUTPUTS(float) outputs[SLICES], factors;
    EACH_SLICE(p) {
        ROWS_OF_SLICE slice; // not rows[p]: glslang 15.1 of Debian 13 ends if an array element is loaded
        if (whole_rows)
            coopMatLoadTensorNV(slice, q, q_head() * queries * HEAD, ROWS_OF(inner_lines, p));
        else
            coopMatLoadTensorNV(slice, q, q_head() * queries * head_dim, ROWS_OF(lines, p));
        rows[p] = slice;
        outputs[p] = OUTPUTS(float)(0.0);
    }
    OF_ROWS most = OF_ROWS(LEAST), divisor = OF_ROWS(0.0);
    const coopmat<MATRIX_T, gl_ScopeWorkgroup, KEYS, NARROW, gl_MatrixUseB> ones =
        coopmat<MATRIX_T, gl_ScopeWorkgroup, KEYS, NARROW, gl_MatrixUseB>(MATRIX_T(1.0));

    const uint whole = end_of_keys(first_query); // every query sees all keys before it
    const uint plain = head_dim == HEAD ? min(whole, end) / KEYS * KEYS : 0;
    uint key = 0;
    [[dont_unroll]] for (; key < plain; key += KEYS) {
        TAKE_KEYS(LOAD_INSIDE, HIDE_INSIDE)
    }
    [[dont_unroll]] for (; key < end; key += KEYS) {
        const bool inside = head_dim == HEAD && key + KEYS <= keys;
        TAKE_KEYS(LOAD_ANYWHERE, HIDE)
    }

    coopMatPerElementNV(divisor, divisor, inverse);
    coopMatReduceNV(factors, divisor, gl_CooperativeMatrixReduceRowNV, any_of);
    EACH_SLICE(p) {
        const OUTPUTS(MATRIX_T) means = OUTPUTS(MATRIX_T)(outputs[p] * factors);
        if (whole_rows)
            coopMatStoreTensorNV(means, o, q_head() * queries * HEAD, ROWS_OF(inner_lines, p));
        else
            coopMatStoreTensorNV(means, o, q_head() * queries * head_dim, ROWS_OF(lines, p));
    }
}
