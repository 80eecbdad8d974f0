// SPDX-License-Identifier: Apache-2.0
// Sums the values by their weights, one block of queries per workgroup: the last of the three
// kernels.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "controls.glsl"
#include "heads.glsl"

layout(binding = 0) readonly buffer Weights { float s[]; };
layout(binding = 1) readonly buffer V { T v[]; };
layout(binding = 1) readonly buffer V4 { VEC4T v4[]; };
layout(binding = 2) writeonly buffer O { T o[]; };

#define VALUES
#include "query_blocks.glsl"

void place_weights(uint first_row, uint first_key) {
    barrier();
    for (uint slot = gl_LocalInvocationIndex; slot < BLOCK_ROWS * BLOCK_COLS; slot += WG_SIZE) {
        const uint line = slot / BLOCK_COLS, col = slot % BLOCK_COLS;
        const uint row = first_row + line, key = first_key + col;
        const bool seen = sees(row, key);
        weights[line * WEIGHT_PITCH + col / 4][col % 4] =
            seen ? s[(q_head() * queries + row) * keys + key] : 0.0;
    }
}

void main() {
    const uint first_row = (gl_NumWorkGroups.x - 1 - gl_WorkGroupID.x) * BLOCK_ROWS;
    const uint first_column = gl_WorkGroupID.z * HEAD;
    const uint end = end_of_keys(min(first_row + BLOCK_ROWS, queries) - 1);
    float divisors[ROWS];
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        divisors[r] = 1.0;
        [[unroll]] for (uint part = 0; part < PARTS; part++) outputs[r][part] = vec4(0.0);
    }
    for (uint key = 0; key < end; key += BLOCK_COLS) {
        place_weights(first_row, key);
        add_values(key, first_column);
    }
    write_outputs(first_row, first_column, divisors);
}
