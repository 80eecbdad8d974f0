// SPDX-License-Identifier: Apache-2.0
// Attention in one walk over the keys by cooperative matrices. A subgroup has COOP_M queries in registers. The
// workgroup puts KEYS keys, and their values, into shared memory for all of its subgroups.
//
// Keys and values have buffers of their own. An invocation loads its share of the next keys or values to registers one
// turn ahead, so a turn needs two barriers. Lines end with a vector of padding, so that they begin in different banks.
// The last keys, if they fill no block, are loaded without registers, and so are heads that are no whole vectors.
//
// All matrices of sums have one layout. So maxima and sums are taken element by element. A single matrix is reduced
// along the rows, for maxima once a turn, for sums once at the end. A subgroup has its part of a mask in shared memory
// of its own, loaded in whole vectors a turn ahead.
//
// Lines beyond the last key are zeros, and unseen. Queries beyond the last one repeat it, and are not stored.
#version 450
#extension GL_GOOGLE_include_directive : require
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require
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
#include "../matrix/subgroup_wait.glsl"

layout(constant_id = 3) const uint SUBGROUP = 32;
layout(constant_id = 4) const uint SUBGROUPS = 4;
layout(constant_id = 5) const uint HEAD = 128;
layout(constant_id = 6) const uint KEYS = 64;
layout(constant_id = 7) const uint COOP_M = 16;
layout(constant_id = 8) const uint SIDE = 16; // of the other sides

#ifdef DTYPE_BF16
#define MATRIX_T bfloat16_t
#else
#define MATRIX_T float16_t
#endif

layout(binding = 3) writeonly buffer O { uint16_t o[]; };
layout(binding = 3) writeonly buffer O8 { uvec4 o8[]; };

const uint ROWS = SUBGROUPS * COOP_M, SLICES = HEAD / SIDE, PARTS = KEYS / SIDE;
// Counted in vectors of eight elements.
const uint LINE = HEAD / 8, PITCH = LINE + 1, SHARE = KEYS * LINE / WG_SIZE, IN_VALUES = KEYS * PITCH;

#ifdef MASKED
const uint MASK_LINE = KEYS / 8, MASK_PITCH = MASK_LINE + 1, MASK_SHARE = COOP_M * MASK_LINE / SUBGROUP;
const uint ROOM = 2 * IN_VALUES + ROWS * MASK_PITCH;
#else
const uint ROOM = 2 * IN_VALUES;
#endif
shared uvec4 room[ROOM];

#define SUMS_OF(type) coopmat<type, gl_ScopeSubgroup, COOP_M, SIDE, gl_MatrixUseAccumulator>
#define SUMS SUMS_OF(float)
#define LEFT coopmat<MATRIX_T, gl_ScopeSubgroup, COOP_M, SIDE, gl_MatrixUseA>
#define RIGHT coopmat<MATRIX_T, gl_ScopeSubgroup, SIDE, SIDE, gl_MatrixUseB>
#define BY_ROW gl_CooperativeMatrixLayoutRowMajor
#define BY_COLUMN gl_CooperativeMatrixLayoutColumnMajor

#define EACH(i, count) [[unroll]] for (uint i = 0; i < count; i++)
#define EACH_ELEMENT(e) EACH(e, most.length())

LEFT asked[SLICES];
SUMS scores[PARTS], outputs[SLICES], most, sums;
uvec4 next[SHARE];

float larger(const in float a, const in float b) {
    return max(a, b);
}
float sum_of(const in float a, const in float b) {
    return a + b;
}
float hidden_unless_seen(const in uint32_t row, const in uint32_t col, const in float score,
    const in uint32_t first_query, const in uint32_t first_key) {
    return sees(first_query + row, first_key + col) ? score : NEGATIVE_INFINITY;
}

// Keeps the compiler from moving loads and stores among the products. With a mask the driver's order is faster.
void fence() {
#ifndef MASKED
    wait_for_subgroup();
#endif
}

// Declares lines of `columns` elements, and a reader of eight neighbours. Elements beyond the end of a line are 0.
#define LINES_OF(binding_of, x, columns)                                                      \
    layout(binding = binding_of) readonly buffer Elements_##x { uint16_t x[]; };              \
    layout(binding = binding_of) readonly buffer Eights_##x { uvec4 x##8[]; };                \
    uvec4 eight_of_##x(uint line, uint column) {                                              \
        if (columns % 8 == 0) return column < columns ? x##8[(line * columns + column) / 8] : uvec4(0); \
        uvec4 eight = uvec4(0);                                                               \
        EACH(i, 8)                                                                            \
            if (column + i < columns) eight[i / 2] |= uint(x[line * columns + column + i]) << i % 2 * 16; \
        return eight;                                                                         \
    }
LINES_OF(0, q, head_dim)
LINES_OF(1, k, head_dim)
LINES_OF(2, v, head_dim)

// Loads the invocation's share of KEYS lines of keys or values. Whole lines follow each other in memory; shorter ones
// have zeros behind them.
#define FETCH(from, first)                                                                    \
    if (head_dim == HEAD)                                                                     \
        EACH(i, SHARE)                                                                        \
            next[i] = from##8[(kv_head() * keys + (first)) * LINE + gl_LocalInvocationIndex + i * WG_SIZE]; \
    else                                                                                      \
        EACH(i, SHARE) {                                                                      \
            const uint at = gl_LocalInvocationIndex + i * WG_SIZE, column = at % LINE * 8;    \
            const uint start = (kv_head() * keys + (first) + at / LINE) * head_dim;           \
            next[i] = column < head_dim ? from##8[(start + column) / 8] : uvec4(0);           \
        }                                                                                     \
    fence();

void place(uint start) {
    EACH(i, SHARE) {
        const uint at = gl_LocalInvocationIndex + i * WG_SIZE;
        room[start + at / LINE * PITCH + at % LINE] = next[i];
    }
    fence();
}

#ifdef MASKED
LINES_OF(MASKED, added, keys)
uvec4 next_mask[MASK_SHARE];

uint mask_start() {
    return 2 * IN_VALUES + gl_SubgroupID * COOP_M * MASK_PITCH;
}

void fetch_mask(uint first_query, uint first_key, bool whole) {
    EACH(i, MASK_SHARE) {
        const uint at = gl_SubgroupInvocationID + i * SUBGROUP;
        const uint row = min(first_query + at / MASK_LINE, queries - 1), key = first_key + at % MASK_LINE * 8;
        next_mask[i] = whole ? added8[(row * keys + key) / 8] : eight_of_added(row, key);
    }
}

void place_mask() {
    EACH(i, MASK_SHARE) {
        const uint at = gl_SubgroupInvocationID + i * SUBGROUP;
        room[mask_start() + at / MASK_LINE * MASK_PITCH + at % MASK_LINE] = next_mask[i];
    }
    wait_for_subgroup();
}
#endif

// Puts the workgroup's queries into shared memory, and each subgroup's into its matrices.
void take_queries(uint first_of_group) {
    for (uint at = gl_LocalInvocationIndex; at < ROWS * LINE; at += WG_SIZE) {
        const uint row = q_head() * queries + min(first_of_group + at / LINE, queries - 1);
        room[at / LINE * PITCH + at % LINE] = eight_of_q(row, at % LINE * 8);
    }
    barrier();
    EACH(d, SLICES) coopMatLoad(asked[d], room, gl_SubgroupID * COOP_M * PITCH + d * (SIDE / 8), PITCH, BY_ROW);
    barrier();
}

// Puts keys and values into shared memory without registers, at most KEYS of them.
void take_keys(uint first) {
    [[dont_unroll]] for (uint at = gl_LocalInvocationIndex; at < KEYS * LINE; at += WG_SIZE) {
        const uint line = at / LINE, column = at % LINE, to = line * PITCH + column;
        const bool outside = first + line >= keys;
        room[to] = outside ? uvec4(0) : eight_of_k(kv_head() * keys + first + line, column * 8);
        room[IN_VALUES + to] = outside ? uvec4(0) : eight_of_v(kv_head() * keys + first + line, column * 8);
    }
}

void make_scores() {
    EACH(n, PARTS) scores[n] = SUMS(0.0);
    EACH(d, SLICES)
        EACH(n, PARTS) {
            RIGHT columns;
            coopMatLoad(columns, room, n * SIDE * PITCH + d * (SIDE / 8), PITCH, BY_COLUMN);
            scores[n] = coopMatMulAdd(asked[d], columns, scores[n]);
        }
}

// Scales the scores to base 2, adds the mask, and hides unseen keys.
void finish_scores(uint first_query, uint first_key) {
    EACH(n, PARTS) {
        scores[n] = scores[n] * (scale * 1.44269504);
#ifdef MASKED
        SUMS_OF(float16_t) part;
        coopMatLoad(part, room, mask_start() + n * (SIDE / 8), MASK_PITCH, BY_ROW);
        scores[n] = scores[n] + SUMS(part) * 1.44269504;
#endif
    }
    if (first_key + KEYS > end_of_keys(first_query))
        EACH(n, PARTS)
            coopMatPerElementNV(scores[n], scores[n], hidden_unless_seen, first_query, first_key + n * SIDE);
}

// Turns scores into weights, and scales the sums so far to the new maxima.
void make_weights() {
    SUMS reached = scores[0], factors;
    EACH(n, PARTS) EACH_ELEMENT(e) reached[e] = max(reached[e], scores[n][e]);
    coopMatReduceNV(reached, reached, gl_CooperativeMatrixReduceRowNV, larger);
    EACH_ELEMENT(e) {
        const float higher = max(most[e], reached[e]);
        factors[e] = exp2(most[e] - higher);
        most[e] = higher;
    }
    EACH(d, SLICES) outputs[d] = outputs[d] * factors;
    sums = sums * factors;
    EACH(n, PARTS) EACH_ELEMENT(e) {
        const float weight = exp2(scores[n][e] - most[e]);
        scores[n][e] = weight;
        sums[e] += weight;
    }
}

void add_values() {
    EACH(n, PARTS) {
        const LEFT weights = LEFT(scores[n]);
        EACH(d, SLICES) {
            RIGHT columns;
            coopMatLoad(columns, room, IN_VALUES + n * SIDE * PITCH + d * (SIDE / 8), PITCH, BY_ROW);
            outputs[d] = coopMatMulAdd(weights, columns, outputs[d]);
        }
    }
}

// Stores a subgroup's outputs by way of shared memory, in whole vectors.
void leave(uint first_query) {
    const uint start = gl_SubgroupID * COOP_M * PITCH;
    barrier(); // all have read the values
    coopMatReduceNV(sums, sums, gl_CooperativeMatrixReduceRowNV, sum_of);
    EACH_ELEMENT(e) sums[e] = sums[e] > 0.0 ? 1.0 / sums[e] : 0.0;
    EACH(d, SLICES) {
        const LEFT means = LEFT(outputs[d] * sums);
        coopMatStore(means, room, start + d * (SIDE / 8), PITCH, BY_ROW);
    }
    wait_for_subgroup();
    for (uint at = gl_SubgroupInvocationID; at < COOP_M * LINE; at += SUBGROUP) {
        const uint query = first_query + at / LINE, column = at % LINE * 8;
        const uint to = (q_head() * queries + query) * head_dim + column;
        const uvec4 eight = room[start + at / LINE * PITCH + at % LINE];
        if (query >= queries || column >= head_dim) continue;
        if (head_dim % 8 == 0)
            o8[to / 8] = eight;
        else
            EACH(i, 8) if (column + i < head_dim) o[to + i] = uint16_t(eight[i / 2] >> i % 2 * 16);
    }
}

// Adds all whole blocks of keys before `end`, and returns the first key beyond them. The loads behind the last block
// are not used.
uint add_whole_blocks(uint first_query, uint end) {
    const uint last = keys - KEYS;
    FETCH(k, 0)
    place(0);
    FETCH(v, 0)
    place(IN_VALUES);
    FETCH(k, min(KEYS, last))
#ifdef MASKED
    fetch_mask(first_query, 0, true);
#endif
    barrier();
    uint key = 0;
    [[dont_unroll]] for (; key < end && key <= last; key += KEYS) {
        make_scores();
        barrier(); // all have read the keys, and placed the values
        place(0);
        FETCH(v, min(key + KEYS, last))
#ifdef MASKED
        place_mask();
        fetch_mask(first_query, min(key + KEYS, last), true);
#endif
        finish_scores(first_query, key);
        make_weights();
        add_values();
        barrier(); // all have read the values, and placed the keys
        place(IN_VALUES);
        FETCH(k, min(key + 2 * KEYS, last))
    }
    return key;
}

void main() {
    const uint first_of_group = (gl_NumWorkGroups.y - 1 - gl_WorkGroupID.y) * ROWS;
    const uint first_query = first_of_group + gl_SubgroupID * COOP_M;
    const uint end = end_of_keys(min(first_of_group + ROWS, queries) - 1);
    take_queries(first_of_group);
    EACH(d, SLICES) outputs[d] = SUMS(0.0);
    most = SUMS(LEAST);
    sums = SUMS(0.0);
    uint key = 0;
#ifdef MASKED
    const bool whole_lines = head_dim % 8 == 0 && keys % 8 == 0;
#else
    const bool whole_lines = head_dim % 8 == 0;
#endif
    if (whole_lines && keys >= KEYS) key = add_whole_blocks(first_query, end);
    [[dont_unroll]] for (; key < end; key += KEYS) {
        barrier(); // all have read the last values
        take_keys(key);
#ifdef MASKED
        fetch_mask(first_query, key, false);
        place_mask();
#endif
        barrier();
        make_scores();
        finish_scores(first_query, key);
        make_weights();
        add_values();
    }
    leave(first_query);
}
