// SPDX-License-Identifier: Apache-2.0
// Weights times the matrix of windows, plus the bias. For each picture and group on z: output channels by places, over
// channels and taps.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "register_block.glsl"
#include "weights.glsl"

layout(binding = 0) readonly buffer Columns { float columns[]; };
layout(binding = 2) readonly buffer Bias { T bias[]; };
layout(binding = 3) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint cin_group, kh, kw, cout, groups, oh, ow; };

uint places, first_col;

vec4 fetch_b(uint load, uint quad, uint at) {
    vec4 value = vec4(0.0);
    if (at >= terms) return value;
    [[unroll]] for (uint e = 0; e < 4; e++) {
        const uint col = min(first_col + e * QUADS_N + quad, places - 1);
        value[e] = columns[(gl_WorkGroupID.z * terms + at) * places + col];
    }
    return value;
}

void main() {
    start_weights(gl_WorkGroupID.z % groups, cout / groups, cin_group * kh * kw);
    places = oh * ow;
    first_col = gl_WorkGroupID.x * QUADS_N * 4;
    multiply_block(terms);
    [[unroll]] for (uint r = 0; r < TM; r++) {
        const uint row = first_row + row_of_sum(r);
        const float offset = LOAD(bias[group * channels + min(row, channels - 1)]);
        const uint plane = (gl_WorkGroupID.z * channels + row) * places;
        [[unroll]] for (uint s = 0; s < TN / 4; s++)
            [[unroll]] for (uint e = 0; e < 4; e++) {
                const uint col = first_col + col_of_sum(s, e);
                if (row < channels && col < places) y[plane + col] = STORE(sums[r][s][e] + offset);
            }
    }
}
