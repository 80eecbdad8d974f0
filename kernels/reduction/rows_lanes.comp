// SPDX-License-Identifier: Apache-2.0
// Reduces each short row, several rows per workgroup. The invocations of a row combine its vectors, then their results
// by shuffles.
#version 450
#extension GL_GOOGLE_include_directive : require
#define LANES
#include "types.glsl"
#include "grid.glsl"
#include "lanes.glsl"
#include "kinds.glsl"

#if REDUCE == MEAN
layout(push_constant) uniform Push { uint rows, cols; float inverse; };
#undef RESULT
#define RESULT(r, n) ((r) * inverse)
#else
layout(push_constant) uniform Push { uint rows, cols; };
#endif
#include "lane_rows.glsl"

ROW_INPUT(0, x)
layout(binding = 1) writeonly buffer Y { T y[]; };

vec4 combined; // each component takes every fourth element

void combine4(vec4 four) {
    [[unroll]] for (uint j = 0; j < 4; j++) combined[j] = COMBINE(combined[j], TERM(four[j]));
}

void keep_row() {
    keep_x(row_first, START);
}

void reduce_row() {
    combined = vec4(START);
    EACH_KEPT(quad, col) combine4(x_kept(quad));
    EACH_OTHER(col) combine4(within_lane(col, x_at(row_first, col), START));
    const float low = COMBINE(combined.x, combined.y), high = COMBINE(combined.z, combined.w);
    const float result = OVER_WORKGROUP(COMBINE(low, high));
    if (lane == 0 && row_live) y[row_index] = STORE(RESULT(result, cols));
}

ROWS_MAIN(no_weights, keep_row, reduce_row)
