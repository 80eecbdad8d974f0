// SPDX-License-Identifier: Apache-2.0
// Gradient of softmax over rows from its result, several rows per workgroup; with LOGARITHM defined, of log-softmax
// from its result. The invocations of a row keep both tensors' rows in registers.
#version 450
#extension GL_GOOGLE_include_directive : require
#define LANES
#include "types.glsl"
#include "grid.glsl"
#include "lanes.glsl"
#include "reduce.glsl"

layout(push_constant) uniform Push { uint rows, cols; };
#include "lane_rows.glsl"

ROW_INPUT(0, dy)
ROW_INPUT(1, y)
ROW_OUTPUT(2, dx)

#ifdef LOGARITHM
#define TERM(y_of, dy_of) sum4(dy_of)
#define RESULT(y_of, dy_of, sum) (dy_of - exp(y_of) * sum)
#else
#define TERM(y_of, dy_of) dot(dy_of, y_of)
#define RESULT(y_of, dy_of, sum) (y_of * (dy_of - sum))
#endif

void keep_row() {
    keep_dy(row_first, 0.0);
    keep_y(row_first, 0.0);
}

void each_row() {
    float sum = 0.0;
    EACH_KEPT(quad, col) sum += TERM(y_kept(quad), dy_kept(quad));
    EACH_OTHER(col) sum += TERM(y_at(row_first, col), dy_at(row_first, col));
    sum = reduce_sum(sum);
    EACH_KEPT(quad, col) put_dx(quad, col, RESULT(y_kept(quad), dy_kept(quad), sum));
    EACH_OTHER(col) put_dx_at(row_first, col, RESULT(y_at(row_first, col), dy_at(row_first, col), sum));
}

ROWS_MAIN(no_weights, keep_row, each_row)
