// SPDX-License-Identifier: Apache-2.0
// Layer norm of short rows, several rows per workgroup. The invocations of a row keep it in registers.
#version 450
#extension GL_GOOGLE_include_directive : require
#define LANES
#include "types.glsl"
#include "grid.glsl"
#include "lanes.glsl"
#include "reduce.glsl"

layout(push_constant) uniform Push { uint rows, cols; float eps, inverse; };
#include "lane_rows.glsl"

ROW_INPUT(0, x)
ROW_WEIGHTS(1, gamma)
ROW_WEIGHTS(2, beta)
ROW_OUTPUT(3, y)

#define KEPT(quad) x_kept(quad)
vec4 element4(uint col) {
    return x_at(row_first, col);
}

vec4 other_quad(uint col, float beyond) {
    return within_lane(col, element4(col), beyond);
}
#include "row_moments.glsl"

void start_weights() {
    start_gamma();
    start_beta();
}

void keep_row() {
    keep_x(row_first, 0.0);
}

void norm_row() {
    const float mean = row_sum() * inverse;
    const float scale = inversesqrt(squared_deviations(mean) * inverse + eps);
    EACH_KEPT(quad, col)
        put_y(quad, col, (KEPT(quad) - mean) * scale * gamma_of(quad, col) + beta_of(quad, col));
    EACH_OTHER(col)
        put_y_at(row_first, col, (element4(col) - mean) * scale * gamma_at(0, col) + beta_at(0, col));
}

ROWS_MAIN(start_weights, keep_row, norm_row)
