// SPDX-License-Identifier: Apache-2.0
// Attention in one walk over the keys with cooperative matrices of 16 x 16: each of the workgroup's
// subgroups has 16 queries, and the workgroup reads KEYS keys and then their values for all of
// them.
//
// Which invocation holds which element of a matrix is not known, so scores go to shared memory,
// where two invocations take a row, and come back as weights in 16 bits. Outputs stay in matrices;
// when a maximum rises they are multiplied, element by element, by a matrix whose rows are
// constant.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_shuffle : require
#define FREE_ROUNDING // the units that multiply matrices round as they like
#define ALL_CONTROLS
#define COOP_M 16
#define COOP_N 16
#define COOP_K 16
#include "../matrix/cooperative.glsl"
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"
#include "heads.glsl"

layout(binding = 0) readonly buffer Q { T q[]; };
layout(binding = 0) readonly buffer Q8 { uvec4 q8[]; };
layout(binding = 1) readonly buffer K { T k[]; };
layout(binding = 1) readonly buffer K8 { uvec4 k8[]; };
layout(binding = 2) readonly buffer V { T v[]; };
layout(binding = 2) readonly buffer V8 { uvec4 v8[]; };
layout(binding = 3) writeonly buffer O { T o[]; };

const uint SIDE = 16, SUBGROUPS = WG_X / 32, ROWS = SUBGROUPS * SIDE;
// In uvec4s of eight elements; one more a row, so that rows start in different banks.
const uint LINE = HEAD / 8, PITCH = LINE + 1;
const uint WEIGHT_PITCH = KEYS / 8 + 1;
// In vectors of four floats, as bits; half a row is what one invocation has of it.
const uint SCORE_PITCH = KEYS / 4 + 1, HALF = KEYS / 8;

shared uvec4 tile[KEYS * PITCH]; // keys, then values; at first the queries
shared uvec4 scores[SUBGROUPS * SIDE * SCORE_PITCH];
shared uvec4 weights[SUBGROUPS * SIDE * WEIGHT_PITCH];

uvec4 pack_eight(vec4 low, vec4 high) {
    return uvec4(packHalf2x16(low.xy), packHalf2x16(low.zw), packHalf2x16(high.xy),
        packHalf2x16(high.zw));
}

// Eight columns of a row that starts at `start`; beyond its end they are zero.
#define FETCH(name, narrow, wide)                                                             \
    uvec4 name(uint start, uint column) {                                                     \
        if (head_dim % 8 == 0) return column < head_dim ? wide[(start + column) / 8] : uvec4(0); \
        uvec4 eight = uvec4(0);                                                               \
        for (uint i = 0; i < 8 && column + i < head_dim; i++)                                 \
            eight[i / 2] |= packHalf2x16(vec2(LOAD(narrow[start + column + i]), 0.0))         \
                            << i % 2 * 16;                                                    \
        return eight;                                                                         \
    }
FETCH(fetch_q, q, q8)
FETCH(fetch_k, k, k8)
FETCH(fetch_v, v, v8)

#define PLACE(fetch, first, count, end, head)                                                 \
    barrier();                                                                                \
    [[unroll]] for (uint slot = gl_LocalInvocationIndex; slot < (count) * LINE; slot += WG_SIZE) { \
        const uint line = slot / LINE, row = (first) + line;                                  \
        tile[line * PITCH + slot % LINE] =                                                    \
            row < (end) ? fetch(((head) * (end) + row) * head_dim, slot % LINE * 8) : uvec4(0); \
    }                                                                                         \
    barrier();

void wait_for_subgroup() {
    subgroupMemoryBarrierShared();
    subgroupBarrier();
}

// Every index of these is known when the shader is compiled (a loop with a break, or round one whose
// end is not known, is not unrolled): otherwise they would lie in memory instead of registers.
MATRIX_A queries_of_subgroup[HEAD / SIDE];
MATRIX_SUM outputs[HEAD / SIDE];

void make_scores(uint first) {
    [[unroll]] for (uint n = 0; n < KEYS / SIDE; n++) {
        MATRIX_SUM sums = MATRIX_SUM(0.0);
        [[unroll]] for (uint d = 0; d < HEAD / SIDE; d++) {
            if (d * SIDE < head_dim) {
                MATRIX_B columns;
                MATRIX_LOAD(columns, tile, n * SIDE * PITCH + d * 2, PITCH, true);
                sums = MATRIX_MULTIPLY(queries_of_subgroup[d], columns, sums);
            }
        }
        MATRIX_STORE(sums, scores, first * SCORE_PITCH + n * 4, SCORE_PITCH);
    }
}

void add_values(uint first) {
    [[unroll]] for (uint n = 0; n < KEYS / SIDE; n++) {
        MATRIX_A rows;
        MATRIX_LOAD(rows, weights, first * WEIGHT_PITCH + n * 2, WEIGHT_PITCH, false);
        [[unroll]] for (uint d = 0; d < HEAD / SIDE; d++) {
            if (d * SIDE < head_dim) {
                MATRIX_B columns;
                MATRIX_LOAD(columns, tile, n * SIDE * PITCH + d * 2, PITCH, false);
                outputs[d] = MATRIX_MULTIPLY(rows, columns, outputs[d]);
            }
        }
    }
}

// Multiplies each row of the outputs by a number of its own, which both of its invocations know.
void scale_outputs(uint first, float factor) {
    const uint row = first + gl_SubgroupInvocationID / 2, column = gl_SubgroupInvocationID % 2 * 2;
    wait_for_subgroup();
    const uvec4 bits = uvec4(floatBitsToUint(factor));
    scores[row * SCORE_PITCH + column] = scores[row * SCORE_PITCH + column + 1] = bits;
    wait_for_subgroup();
    MATRIX_SUM factors;
    MATRIX_LOAD(factors, scores, first * SCORE_PITCH, SCORE_PITCH, false);
#define SCALE(d) for (uint i = 0; i < factors.length(); i++) outputs[d][i] *= factors[i];
#define SCALE_FOUR(d) SCALE(d) SCALE(d + 1) SCALE(d + 2) SCALE(d + 3)
    SCALE_FOUR(0)
#if HEAD > 64
    SCALE_FOUR(4)
#endif
#if HEAD > 128
    SCALE_FOUR(8) SCALE_FOUR(12)
#endif
    wait_for_subgroup();
}

float most = LEAST, divisor = 0.0; // of the row that this invocation has half of

vec4 logits(vec4 products, uint query, uint key, uint end) {
    vec4 four;
    [[unroll]] for (uint i = 0; i < 4; i++)
        four[i] = key + i < end ? logit(products[i], query, key + i) : NEGATIVE_INFINITY;
    return four;
}

void make_weights(uint first, uint query, uint end, uint first_key) {
    const uint row = first + gl_SubgroupInvocationID / 2, side = gl_SubgroupInvocationID % 2 * HALF;
    vec4 own[HALF], four = vec4(most);
    wait_for_subgroup();
    [[unroll]] for (uint i = 0; i < HALF; i++) {
        const vec4 products = uintBitsToFloat(scores[row * SCORE_PITCH + side + i]);
        own[i] = logits(products, query, first_key + (side + i) * 4, end);
        four = max(four, own[i]);
    }
    float reached = max(max(four.x, four.y), max(four.z, four.w));
    reached = max(reached, subgroupShuffleXor(reached, 1));
    const float scale_down = exp(most - reached);
    most = reached;
    four = vec4(0.0);
    [[unroll]] for (uint i = 0; i < HALF; i++) four += own[i] = exp(own[i] - reached);
    divisor = fma(divisor, scale_down, four.x + four.y + (four.z + four.w));
    [[unroll]] for (uint i = 0; i < HALF; i += 2)
        weights[row * WEIGHT_PITCH + (side + i) / 2] = pack_eight(own[i], own[i + 1]);
    if (subgroupAny(scale_down != 1.0)) scale_outputs(first, scale_down);
    wait_for_subgroup();
}

void write_outputs(uint first, uint query) {
    const uint row = first + gl_SubgroupInvocationID / 2, side = gl_SubgroupInvocationID % 2 * 2;
    [[unroll]] for (uint d = 0; d < HEAD / SIDE; d++) {
        MATRIX_STORE(outputs[d], scores, first * SCORE_PITCH, SCORE_PITCH);
        wait_for_subgroup();
        [[unroll]] for (uint i = 0; i < 8; i++) {
            const uint at = d * SIDE + side * 4 + i;
            if (query < queries && at < head_dim)
                o[(q_head() * queries + query) * head_dim + at] =
                    STORE(uintBitsToFloat(scores[row * SCORE_PITCH + side + i / 4][i % 4]));
        }
        wait_for_subgroup();
    }
}

void main() {
    const uint first_query = (gl_NumWorkGroups.x - 1 - gl_WorkGroupID.x) * ROWS;
    const uint first = gl_SubgroupID * SIDE; // of the workgroup's rows
    const uint query = first_query + first + gl_SubgroupInvocationID / 2;
    const uint end_of_row = query < queries ? end_of_keys(query) : 0;
    const uint end = end_of_keys(min(first_query + ROWS, queries) - 1);
    // The queries pass through the tile, as many at a time as there is room for.
    for (uint start = 0; start < ROWS; start += KEYS) {
        PLACE(fetch_q, first_query + start, KEYS, queries, q_head())
        if (first >= start && first < start + KEYS)
            [[unroll]] for (uint d = 0; d < HEAD / SIDE; d++)
                MATRIX_LOAD(queries_of_subgroup[d], tile, (first - start) * PITCH + d * 2, PITCH,
                    false);
    }
    [[unroll]] for (uint d = 0; d < HEAD / SIDE; d++) outputs[d] = MATRIX_SUM(0.0);
    for (uint key = 0; key < end; key += KEYS) {
        PLACE(fetch_k, key, KEYS, keys, kv_head())
        make_scores(first);
        make_weights(first, query, end_of_row, key);
        PLACE(fetch_v, key, KEYS, keys, kv_head())
        add_values(first);
    }
    divisor += subgroupShuffleXor(divisor, 1);
    scale_outputs(first, divisor > 0.0 ? 1.0 / divisor : 0.0);
    write_outputs(first, query);
}
