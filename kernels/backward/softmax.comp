// SPDX-License-Identifier: Apache-2.0
// Gradient of softmax over rows from its result; with LOGARITHM defined, of log-softmax from its result. Each workgroup
// takes one row; both tensors' rows are read once and kept in registers.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"

layout(push_constant) uniform Push { uint rows, cols; };
#include "row_pair.glsl"

layout(binding = 2) writeonly buffer Dx { T dx[]; };
layout(binding = 2) writeonly buffer Dx4 { VEC4T dx4[]; };
QUAD_WRITER(put_quad, dx, dx4)

#ifdef LOGARITHM
#define TERM(y_of, dy_of) sum4(dy_of)
#define RESULT(y_of, dy_of, sum) (dy_of - exp(y_of) * sum)
#else
#define TERM(y_of, dy_of) dot(dy_of, y_of)
#define RESULT(y_of, dy_of, sum) (y_of * (dy_of - sum))
#endif

void main() {
    if (linear_group() >= rows) return;
    float sum = 0.0;
    keep_rows(linear_group() * cols, cols);
    EACH_PAIR(col, y_of, dy_of, sum += TERM(y_of, dy_of))
    sum = reduce_sum(sum);
    EACH_PAIR(col, y_of, dy_of, put_quad(row_first, col, RESULT(y_of, dy_of, sum)))
}
