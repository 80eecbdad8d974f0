// SPDX-License-Identifier: Apache-2.0
// Root mean square norm of short rows, several rows per workgroup. The invocations of a row keep it in
// registers. With RESIDUAL defined the input is x + res, and this sum is written too.
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
#ifdef RESIDUAL
ROW_INPUT(1, res)
ROW_WEIGHTS(2, w)
ROW_OUTPUT(3, r)
ROW_OUTPUT(4, y)
#define KEPT(quad) (x_kept(quad) + res_kept(quad))
#define OTHER(col) (x_at(row_first, col) + res_at(row_first, col))
#else
ROW_WEIGHTS(1, w)
ROW_OUTPUT(2, y)
#define KEPT(quad) x_kept(quad)
#define OTHER(col) x_at(row_first, col)
#endif

void keep_row() {
    keep_x(row_first, 0.0);
#ifdef RESIDUAL
    keep_res(row_first, 0.0);
#endif
}

void norm_row() {
    float squares = 0.0;
    EACH_KEPT(quad, col) squares += dot(KEPT(quad), KEPT(quad));
    EACH_OTHER(col) squares += squares_about(col, OTHER(col), 0.0);
    const float scale = inversesqrt(reduce_sum(squares) * inverse + eps);
    EACH_KEPT(quad, col) {
#ifdef RESIDUAL
        put_r(quad, col, KEPT(quad));
#endif
        put_y(quad, col, KEPT(quad) * scale * w_of(quad, col));
    }
    EACH_OTHER(col) {
        const vec4 four = OTHER(col);
#ifdef RESIDUAL
        put_r_at(row_first, col, four);
#endif
        put_y_at(row_first, col, four * scale * w_at(0, col));
    }
}

ROWS_MAIN(start_w, keep_row, norm_row)
