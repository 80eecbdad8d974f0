// SPDX-License-Identifier: Apache-2.0
// Layer norm of short rows, several rows per workgroup. The invocations of a row keep it in registers, with scale and
// shift of their columns.
#version 450
#extension GL_GOOGLE_include_directive : require
#define LANES
#include "types.glsl"
#include "grid.glsl"
#include "lanes.glsl"
#include "reduce.glsl"

layout(push_constant) uniform Push { uint rows, cols, share; float eps; };
#include "lane_rows.glsl"

ROW_INPUT(0, x)
ROW_INPUT(1, gamma)
ROW_INPUT(2, beta)
ROW_OUTPUT(3, y)

#define KEPT(quad) x_kept(quad)
vec4 element4(uint col) {
    return x_at(row_first, col);
}

vec4 other_quad(uint col, float beyond) {
    return within_lane(col, element4(col), beyond);
}
#include "row_moments.glsl"

void norm_row() {
    keep_x(row_first, 0.0);
    keep_gamma(0, 0.0);
    keep_beta(0, 0.0);
    const float mean = row_mean();
    const float scale = inversesqrt(squared_deviations(mean) / float(cols) + eps);
    EACH_KEPT(quad, col)
        put_y(quad, col, (KEPT(quad) - mean) * scale * gamma_kept(quad) + beta_kept(quad));
    EACH_OTHER(col)
        put_y_at(row_first, col, (element4(col) - mean) * scale * gamma_at(0, col) + beta_at(0, col));
}

ROWS_MAIN(norm_row)
