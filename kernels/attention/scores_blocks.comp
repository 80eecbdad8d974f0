// SPDX-License-Identifier: Apache-2.0
// Writes the scores of a block of queries and keys per workgroup: the first of the three kernels of
// attention.
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
layout(binding = 2) writeonly buffer Scores { float s[]; };

#define QUERIES_AND_KEYS
#include "query_blocks.glsl"

void main() {
    const uint first_row = gl_WorkGroupID.z * BLOCK_ROWS, first_key = gl_WorkGroupID.x * BLOCK_COLS;
    if (first_key >= end_of_keys(min(first_row + BLOCK_ROWS, queries) - 1)) return; // never read
    make_scores(first_row, first_key);
    mask_scores(first_row, first_key);
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        const uint row = first_row + r * WG_Y + gl_LocalInvocationID.y;
        [[unroll]] for (uint c = 0; c < COLS; c++) {
            const uint key = first_key + c * WG_X + gl_LocalInvocationID.x;
            if (row < queries && key < keys)
                s[(q_head() * queries + row) * keys + key] = scores[r][c];
        }
    }
}
