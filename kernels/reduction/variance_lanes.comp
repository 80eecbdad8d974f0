// SPDX-License-Identifier: Apache-2.0
// Variance of short rows, several rows per workgroup, in two passes over registers: the mean, then the deviations from
// it.
#version 450
#extension GL_GOOGLE_include_directive : require
#define LANES
#include "types.glsl"
#include "grid.glsl"
#include "lanes.glsl"
#include "reduce.glsl"

layout(push_constant) uniform Push { uint rows, cols; int correction; float inverse, inverse_freedom; };
#include "lane_rows.glsl"

ROW_INPUT(0, x)
layout(binding = 1) writeonly buffer Y { T y[]; };

#define KEPT(quad) x_kept(quad)
vec4 element4(uint col) {
    return x_at(row_first, col);
}

vec4 other_quad(uint col, float beyond) {
    return within_lane(col, element4(col), beyond);
}
#include "row_moments.glsl"

void keep_row() {
    keep_x(row_first, 0.0);
}

void variance_row() {
    const float squares = squared_deviations(row_sum() * inverse);
    const int freedom = int(cols) - correction;
    float variance = squares * inverse_freedom;
    if (freedom <= 0) variance = squares / float(freedom);
    if (lane == 0 && row_live) y[row_index] = STORE(variance);
}

ROWS_MAIN(no_weights, keep_row, variance_row)
