// SPDX-License-Identifier: Apache-2.0
// Attention of few queries on many keys, with heads that share keys, by cooperative matrices. The keys are cut in parts.
// A subgroup takes a part for COOP_M of the sharing heads at a time: they are the rows of its matrices.
//
// Subgroups do not wait for each other. Each has room for KEYS lines in shared memory, first for keys, then for their
// values. The next keys and values are on their way to registers meanwhile. Lines end with a vector of padding, so that
// they begin in different banks. The outputs, maxima and divisors of a part are left for the joining pass.
//
// Lines beyond the end of a part are zeros, and unseen. All subgroups of a workgroup take equally many turns.
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
#define KV_HEADS_ON_Y
#include "heads.glsl"
#include "../matrix/subgroup_wait.glsl"

layout(constant_id = 3) const uint SUBGROUP = 32;
layout(constant_id = 4) const uint SUBGROUPS = 2;
layout(constant_id = 5) const uint HEAD = 128;
layout(constant_id = 6) const uint COOP_M = 16;
layout(constant_id = 7) const uint SIDE = 16; // of the other sides

#ifdef DTYPE_BF16
#define MATRIX_T bfloat16_t
#else
#define MATRIX_T float16_t
#endif

layout(binding = 0) readonly buffer Q { uvec4 q[]; };
layout(binding = 1) readonly buffer K { uvec4 k[]; };
layout(binding = 2) readonly buffer V { uvec4 v[]; };
layout(binding = 3) writeonly buffer Parts { vec4 parts[]; };
layout(binding = 4) writeonly buffer Stats { vec2 stats[]; }; // maximum and divisor

const uint KEYS = 16; // more of them spill registers on an H200
const uint SLICES = HEAD / SIDE, BLOCKS = KEYS / SIDE;
// Counted in vectors of eight elements.
const uint LINE = HEAD / 8, PITCH = LINE + 1, SHARE = KEYS * LINE / SUBGROUP;
const uint ROOM = KEYS * PITCH, QUADS = SIDE / 4; // a subgroup's room; vectors of four sums in a line of a matrix
shared uvec4 room[SUBGROUPS * ROOM];

#define SUMS coopmat<float, gl_ScopeSubgroup, COOP_M, SIDE, gl_MatrixUseAccumulator>
#define LEFT coopmat<MATRIX_T, gl_ScopeSubgroup, COOP_M, SIDE, gl_MatrixUseA>
#define RIGHT coopmat<MATRIX_T, gl_ScopeSubgroup, SIDE, SIDE, gl_MatrixUseB>
#define BY_ROW gl_CooperativeMatrixLayoutRowMajor
#define BY_COLUMN gl_CooperativeMatrixLayoutColumnMajor

#define EACH(i, count) [[unroll]] for (uint i = 0; i < count; i++)
#define EACH_ELEMENT(e) EACH(e, most.length())

LEFT asked[SLICES];
SUMS scores[BLOCKS], outputs[SLICES], most, sums;
uvec4 of_keys[SHARE], of_values[SHARE];

float larger(const in float a, const in float b) {
    return max(a, b);
}
float sum_of(const in float a, const in float b) {
    return a + b;
}
float hidden_from(const in uint32_t row, const in uint32_t col, const in float score, const in uint32_t end) {
    return col < end ? score : NEGATIVE_INFINITY;
}

uint octets() {
    return head_dim / 8;
}
uint start_of_room() {
    return gl_SubgroupID * ROOM;
}

// Loads a subgroup's next lines. Lines beyond `end` are zeros.
#define FETCH(to, from, first, end)                                                           \
    EACH(i, SHARE) {                                                                          \
        const uint at = gl_SubgroupInvocationID + i * SUBGROUP, line = (first) + at / LINE;   \
        to[i] = uvec4(0);                                                                     \
        if (line < end && at % LINE < octets())                                               \
            to[i] = from[(kv_head() * keys + line) * octets() + at % LINE];                   \
    }

#define PLACE(from)                                                                           \
    wait_for_subgroup();                                                                      \
    EACH(i, SHARE) {                                                                          \
        const uint at = gl_SubgroupInvocationID + i * SUBGROUP;                               \
        room[start_of_room() + at / LINE * PITCH + at % LINE] = from[i];                      \
    }                                                                                         \
    wait_for_subgroup();

// Rows beyond the last head are zeros.
void take_queries(uint first_head, uint heads_here, uint row) {
    wait_for_subgroup();
    for (uint at = gl_SubgroupInvocationID; at < COOP_M * LINE; at += SUBGROUP) {
        const uint g = at / LINE, column = at % LINE;
        uvec4 eight = uvec4(0);
        if (g < heads_here && column < octets()) eight = q[((first_head + g) * queries + row) * octets() + column];
        room[start_of_room() + g * PITCH + column] = eight;
    }
    wait_for_subgroup();
    EACH(d, SLICES) coopMatLoad(asked[d], room, start_of_room() + d * (SIDE / 8), PITCH, BY_ROW);
}

// Makes weights of the keys in the room, of which the first `end` are seen, and scales the sums to the new maxima.
void make_weights(uint end) {
    EACH(n, BLOCKS) scores[n] = SUMS(0.0);
    EACH(d, SLICES)
        EACH(n, BLOCKS) {
            RIGHT columns;
            coopMatLoad(columns, room, start_of_room() + n * SIDE * PITCH + d * (SIDE / 8), PITCH, BY_COLUMN);
            scores[n] = coopMatMulAdd(asked[d], columns, scores[n]);
        }
    EACH(n, BLOCKS) {
        const uint seen = end - min(end, n * SIDE);
        scores[n] = scores[n] * scale;
        coopMatPerElementNV(scores[n], scores[n], hidden_from, seen);
    }
    SUMS reached = scores[0], factors;
    EACH(n, BLOCKS) EACH_ELEMENT(e) reached[e] = max(reached[e], scores[n][e]);
    coopMatReduceNV(reached, reached, gl_CooperativeMatrixReduceRowNV, larger);
    EACH_ELEMENT(e) {
        const float higher = max(most[e], reached[e]);
        factors[e] = exp(most[e] - higher);
        most[e] = higher;
    }
    EACH(d, SLICES) outputs[d] = outputs[d] * factors;
    sums = sums * factors;
    EACH(n, BLOCKS) EACH_ELEMENT(e) {
        const float weight = exp(scores[n][e] - most[e]);
        scores[n][e] = weight;
        sums[e] += weight;
    }
}

void add_values() {
    EACH(n, BLOCKS) {
        const LEFT weights = LEFT(scores[n]);
        EACH(d, SLICES) {
            RIGHT columns;
            coopMatLoad(columns, room, start_of_room() + n * SIDE * PITCH + d * (SIDE / 8), PITCH, BY_ROW);
            outputs[d] = coopMatMulAdd(weights, columns, outputs[d]);
        }
    }
}

// Puts a matrix of sums into the subgroup's room, QUADS vectors a line.
void put(SUMS matrix) {
    wait_for_subgroup();
    coopMatStore(matrix, room, start_of_room(), QUADS, BY_ROW);
    wait_for_subgroup();
}

float first_of_line(uint line) {
    return uintBitsToFloat(room[start_of_room() + line * QUADS].x);
}

// Leaves the part's outputs and statistics.
void leave(uint first_head, uint heads_here, uint row, uint part) {
    const uint lane = gl_SubgroupInvocationID, all = gl_NumWorkGroups.x * SUBGROUPS;
    EACH(d, SLICES) {
        put(outputs[d]);
        for (uint at = lane; at < heads_here * QUADS; at += SUBGROUP) {
            const uint to = ((first_head + at / QUADS) * queries + row) * all + part, quad = d * QUADS + at % QUADS;
            if (quad < head_dim / 4) parts[to * (head_dim / 4) + quad] = uintBitsToFloat(room[start_of_room() + at]);
        }
    }
    coopMatReduceNV(sums, sums, gl_CooperativeMatrixReduceRowNV, sum_of);
    float maxima[(COOP_M + SUBGROUP - 1) / SUBGROUP];
    put(most);
    for (uint g = lane; g < heads_here; g += SUBGROUP) maxima[g / SUBGROUP] = first_of_line(g);
    put(sums);
    for (uint g = lane; g < heads_here; g += SUBGROUP)
        stats[((first_head + g) * queries + row) * all + part] = vec2(maxima[g / SUBGROUP], first_of_line(g));
}

void main() {
    const uint row = gl_WorkGroupID.z, sharing = heads / kv_heads;
    const uint part = gl_WorkGroupID.x * SUBGROUPS + gl_SubgroupID;
    const uint share = (keys - 1) / (gl_NumWorkGroups.x * SUBGROUPS) + 1, start = part * share;
    const uint end = min(start + share, end_of_keys(row));
    for (uint head = 0; head < sharing; head += COOP_M) {
        const uint first_head = gl_WorkGroupID.y * sharing + head, heads_here = min(sharing - head, COOP_M);
        FETCH(of_keys, k, start, end)
        FETCH(of_values, v, start, end)
        take_queries(first_head, heads_here, row);
        EACH(d, SLICES) outputs[d] = SUMS(0.0);
        most = SUMS(LEAST);
        sums = SUMS(0.0);
        [[dont_unroll]] for (uint done = 0; done < share; done += KEYS) {
            const uint first = start + done, next = first + KEYS;
            PLACE(of_keys)
            FETCH(of_keys, k, next, end)
            make_weights(end - min(end, first));
            PLACE(of_values)
            FETCH(of_values, v, next, end)
            add_values();
        }
        leave(first_head, heads_here, row, part);
    }
}
