// SPDX-License-Identifier: Apache-2.0
// Attention in one walk over the keys with cooperative matrices. Each of the workgroup's SUBGROUPS
// subgroups has COOP_M queries. The workgroup reads KEYS keys, and then their values, for all of
// them.
//
// The invocation that holds an element of a matrix is not known. So scores go to shared memory, where
// LANES invocations take a row, and come back as weights in 16 bits. Outputs stay in matrices. When a
// maximum rises, they are multiplied, element by element, by a matrix with constant rows. All sizes
// are specialization constants, so that one module serves all shapes.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#define FREE_ROUNDING // matrix units round as they like
#define ALL_CONTROLS
#include "../matrix/cooperative.glsl"
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"
#include "heads.glsl"

layout(constant_id = 3) const uint SUBGROUP = 32;
layout(constant_id = 4) const uint SUBGROUPS = 4;
layout(constant_id = 5) const uint HEAD = 128;
layout(constant_id = 6) const uint KEYS = 16;
layout(constant_id = 7) const uint COOP_M = 16;
layout(constant_id = 8) const uint COOP_N = 16;
layout(constant_id = 9) const uint COOP_K = 16;

layout(binding = 0) readonly buffer Q { T q[]; };
layout(binding = 0) readonly buffer Q8 { uvec4 q8[]; };
layout(binding = 1) readonly buffer K { T k[]; };
layout(binding = 1) readonly buffer K8 { uvec4 k8[]; };
layout(binding = 2) readonly buffer V { T v[]; };
layout(binding = 2) readonly buffer V8 { uvec4 v8[]; };
layout(binding = 3) writeonly buffer O { T o[]; };

const uint LANES = SUBGROUP / COOP_M, ROWS = SUBGROUPS * COOP_M;
// In uvec4s of eight elements; one more per row, so that rows start in different banks.
const uint LINE = HEAD / 8, PITCH = LINE + 1;
const uint WEIGHT_PITCH = KEYS / 8 + 1;
// In vectors of four floats, as bits. SHARE is the part of a row in one invocation.
const uint SCORE_PITCH = KEYS / 4 + 1, SHARE = KEYS / 4 / LANES;

shared uvec4 tile[KEYS * PITCH]; // keys, then values; at first the queries
shared uvec4 scores[ROWS * SCORE_PITCH];
shared uvec4 weights[ROWS * WEIGHT_PITCH];

uint pack_two(float low, float high) {
#ifdef DTYPE_BF16
    return bf16_bits(low) | bf16_bits(high) << 16;
#else
    return packHalf2x16(vec2(low, high));
#endif
}

uvec4 pack_eight(vec4 low, vec4 high) {
    return uvec4(pack_two(low.x, low.y), pack_two(low.z, low.w), pack_two(high.x, high.y),
        pack_two(high.z, high.w));
}

// Return the row of the subgroup in which this invocation has a share, and the number of the share.
uint own_row() {
    return gl_SubgroupInvocationID / LANES;
}
uint own_share() {
    return gl_SubgroupInvocationID % LANES;
}

// Defines a reader of eight columns of a row that starts at `start`; columns beyond its end are zero.
#define FETCH(name, narrow, wide)                                                             \
    uvec4 name(uint start, uint column) {                                                     \
        if (head_dim % 8 == 0) return column < head_dim ? wide[(start + column) / 8] : uvec4(0); \
        uvec4 eight = uvec4(0);                                                               \
        for (uint i = 0; i < 8 && column + i < head_dim; i++)                                 \
            eight[i / 2] |= pack_two(LOAD(narrow[start + column + i]), 0.0) << i % 2 * 16;    \
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

// All indices of these must be known when the pipeline is made; otherwise they are in memory instead of registers. A
// loop with a break, or around a loop with an unknown end, is not unrolled.
MATRIX_A queries_of_subgroup[HEAD / COOP_K];
MATRIX_SUM outputs[HEAD / COOP_N];

void make_scores(uint first) {
    [[unroll]] for (uint n = 0; n < KEYS / COOP_N; n++) {
        MATRIX_SUM sums = MATRIX_SUM(0.0);
        [[unroll]] for (uint d = 0; d < HEAD / COOP_K; d++) {
            if (d * COOP_K < head_dim) {
                MATRIX_B columns;
                MATRIX_LOAD(columns, tile, n * COOP_N * PITCH + d * COOP_K / 8, PITCH, true);
                sums = MATRIX_MULTIPLY(queries_of_subgroup[d], columns, sums);
            }
        }
        MATRIX_STORE(sums, scores, first * SCORE_PITCH + n * COOP_N / 4, SCORE_PITCH);
    }
}

void add_values(uint first) {
    [[unroll]] for (uint n = 0; n < KEYS / COOP_K; n++) {
        MATRIX_A rows;
        MATRIX_LOAD(rows, weights, first * WEIGHT_PITCH + n * COOP_K / 8, WEIGHT_PITCH, false);
        [[unroll]] for (uint d = 0; d < HEAD / COOP_N; d++) {
            if (d * COOP_N < head_dim) {
                MATRIX_B columns;
                MATRIX_LOAD(columns, tile, n * COOP_K * PITCH + d * COOP_N / 8, PITCH, false);
                outputs[d] = MATRIX_MULTIPLY(rows, columns, outputs[d]);
            }
        }
    }
}

// Multiplies each row of the outputs by its own factor, known to all invocations of the row.
void scale_outputs(uint first, float factor) {
    const uint row = first + own_row();
    wait_for_subgroup();
    for (uint column = own_share(); column < COOP_N / 4; column += LANES)
        scores[row * SCORE_PITCH + column] = uvec4(floatBitsToUint(factor));
    wait_for_subgroup();
    MATRIX_SUM factors;
    MATRIX_LOAD(factors, scores, first * SCORE_PITCH, SCORE_PITCH, false);
    [[unroll]] for (uint d = 0; d < HEAD / COOP_N; d++)
        for (uint i = 0; i < factors.length(); i++) outputs[d][i] *= factors[i];
    wait_for_subgroup();
}

float most = LEAST, divisor = 0.0; // of this invocation's row

vec4 logits(vec4 products, uint query, uint key, uint end) {
    vec4 four;
    [[unroll]] for (uint i = 0; i < 4; i++)
        four[i] = key + i < end ? logit(products[i], query, key + i) : NEGATIVE_INFINITY;
    return four;
}

void make_weights(uint first, uint query, uint end, uint first_key) {
    const uint row = first + own_row(), side = own_share() * SHARE;
    vec4 own[SHARE], four = vec4(most);
    wait_for_subgroup();
    [[unroll]] for (uint i = 0; i < SHARE; i++) {
        const vec4 products = uintBitsToFloat(scores[row * SCORE_PITCH + side + i]);
        own[i] = logits(products, query, first_key + (side + i) * 4, end);
        four = max(four, own[i]);
    }
    float reached = max(max(four.x, four.y), max(four.z, four.w));
    [[unroll]] for (uint lane = 1; lane < LANES; lane *= 2)
        reached = max(reached, subgroupShuffleXor(reached, lane));
    const float scale_down = exp(most - reached);
    most = reached;
    four = vec4(0.0);
    [[unroll]] for (uint i = 0; i < SHARE; i++) four += own[i] = exp(own[i] - reached);
    divisor = fma(divisor, scale_down, four.x + four.y + (four.z + four.w));
    [[unroll]] for (uint i = 0; i < SHARE; i += 2)
        weights[row * WEIGHT_PITCH + (side + i) / 2] = pack_eight(own[i], own[i + 1]);
    scale_outputs(first, scale_down); // in all subgroups: lavapipe's subgroup barriers act on the workgroup
    wait_for_subgroup();
}

void write_outputs(uint first, uint query) {
    const uint row = first + own_row(), own = COOP_N / LANES;
    [[unroll]] for (uint d = 0; d < HEAD / COOP_N; d++) {
        MATRIX_STORE(outputs[d], scores, first * SCORE_PITCH, SCORE_PITCH);
        wait_for_subgroup();
        [[unroll]] for (uint i = 0; i < own; i++) {
            const uint column = own_share() * own + i, at = d * COOP_N + column;
            if (query < queries && at < head_dim)
                o[(q_head() * queries + query) * head_dim + at] =
                    STORE(uintBitsToFloat(scores[row * SCORE_PITCH + column / 4][column % 4]));
        }
        wait_for_subgroup();
    }
}

void main() {
    const uint first_query = (gl_NumWorkGroups.x - 1 - gl_WorkGroupID.x) * ROWS;
    const uint first = gl_SubgroupID * COOP_M; // first of its rows in the workgroup
    const uint query = first_query + first + own_row();
    const uint end_of_row = query < queries ? end_of_keys(query) : 0;
    const uint end = end_of_keys(min(first_query + ROWS, queries) - 1);
    // The queries pass through the tile, as many at a time as fit.
    for (uint start = 0; start < ROWS; start += KEYS) {
        PLACE(fetch_q, first_query + start, KEYS, queries, q_head())
        if (first >= start && first < start + KEYS)
            [[unroll]] for (uint d = 0; d < HEAD / COOP_K; d++)
                MATRIX_LOAD(queries_of_subgroup[d], tile, (first - start) * PITCH + d * COOP_K / 8,
                    PITCH, false);
    }
    [[unroll]] for (uint d = 0; d < HEAD / COOP_N; d++) outputs[d] = MATRIX_SUM(0.0);
    for (uint key = 0; key < end; key += KEYS) {
        PLACE(fetch_k, key, KEYS, keys, kv_head())
        make_scores(first);
        make_weights(first, query, end_of_row, key);
        PLACE(fetch_v, key, KEYS, keys, kv_head())
        add_values(first);
    }
    [[unroll]] for (uint lane = 1; lane < LANES; lane *= 2)
        divisor += subgroupShuffleXor(divisor, lane);
    scale_outputs(first, divisor > 0.0 ? 1.0 / divisor : 0.0);
    write_outputs(first, query);
}
