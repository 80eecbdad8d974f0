// SPDX-License-Identifier: Apache-2.0
// Attention in one walk over the keys, one block of queries per workgroup; the scores of a block never leave it. Each
// row keeps its maximum so far; when this rises, sums and outputs are scaled down.
//
// If later keys are hidden, the blocks with most visible keys come first. The last workgroups to start are then
// short.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "controls.glsl"
#include "heads.glsl"

layout(binding = 0) readonly buffer Q { T q[]; };
layout(binding = 0) readonly buffer Q4 { VEC4T q4[]; };
layout(binding = 1) readonly buffer K { T k[]; };
layout(binding = 1) readonly buffer K4 { VEC4T k4[]; };
layout(binding = 2) readonly buffer V { T v[]; };
layout(binding = 2) readonly buffer V4 { VEC4T v4[]; };
layout(binding = 3) writeonly buffer O { T o[]; };

#define QUERIES_AND_KEYS
#define VALUES
#include "query_blocks.glsl"

float most[ROWS], sums[ROWS]; // each sum covers the invocation's own columns

// Puts each invocation's largest score of a row into shared memory, beside the scores of the
// others.
void share_maxima() {
    barrier();
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        float own = LEAST;
        [[unroll]] for (uint c = 0; c < COLS; c++) own = max(own, scores[r][c]);
        const uint row = r * WG_Y + gl_LocalInvocationID.y, x = gl_LocalInvocationID.x;
        tile[row * (WG_X / 4) + x / 4][x % 4] = own;
    }
    barrier();
}

float row_maximum(uint row) {
    vec4 four = tile[row * (WG_X / 4)];
    [[unroll]] for (uint i = 1; i < WG_X / 4; i++) four = max(four, tile[row * (WG_X / 4) + i]);
    return max(max(four.x, four.y), max(four.z, four.w));
}

void make_weights() {
    share_maxima();
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        const uint row = r * WG_Y + gl_LocalInvocationID.y;
        const float larger = max(most[r], row_maximum(row)), scale_down = exp(most[r] - larger);
        most[r] = larger;
        sums[r] *= scale_down;
        [[unroll]] for (uint part = 0; part < PARTS; part++) outputs[r][part] *= scale_down;
        [[unroll]] for (uint c = 0; c < COLS; c++) {
            const uint col = c * WG_X + gl_LocalInvocationID.x;
            const float weight = exp(scores[r][c] - larger);
            sums[r] += weight;
            weights[row * WEIGHT_PITCH + col / 4][col % 4] = weight;
        }
    }
}

// Adds up the sums of a row's invocations, in the same order in each of them.
void join_sums() {
    barrier();
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        const uint row = r * WG_Y + gl_LocalInvocationID.y, x = gl_LocalInvocationID.x;
        tile[row * (WG_X / 4) + x / 4][x % 4] = sums[r];
    }
    barrier();
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        const uint row = r * WG_Y + gl_LocalInvocationID.y;
        vec4 four = tile[row * (WG_X / 4)];
        [[unroll]] for (uint i = 1; i < WG_X / 4; i++) four += tile[row * (WG_X / 4) + i];
        sums[r] = four.x + four.y + (four.z + four.w);
    }
}

void main() {
    const uint first_row = (gl_NumWorkGroups.x - 1 - gl_WorkGroupID.x) * BLOCK_ROWS;
    const uint first_column = gl_WorkGroupID.z * HEAD;
    const uint end = end_of_keys(min(first_row + BLOCK_ROWS, queries) - 1);
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        most[r] = LEAST;
        sums[r] = 0.0;
        [[unroll]] for (uint part = 0; part < PARTS; part++) outputs[r][part] = vec4(0.0);
    }
    for (uint key = 0; key < end; key += BLOCK_COLS) {
        make_scores(first_row, key);
        mask_scores(first_row, key);
        make_weights();
        add_values(key, first_column);
    }
    join_sums();
    write_outputs(first_row, first_column, sums);
}
