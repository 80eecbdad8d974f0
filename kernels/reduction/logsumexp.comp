// SPDX-License-Identifier: Apache-2.0
// Logarithm of the sum of exponentials of each row, one workgroup per row. The row is read once and kept in
// registers.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "row_quads.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, cols; };

QUAD_READER(x_quad, x, x4)

vec4 element4(uint col) {
    return x_quad(row_first, col);
}
#include "row_cache.glsl"
#include "row_softmax.glsl"

// Like keep_row for whole vectors: all loads are under way at once, and no vector is tested for the row's end inside
// it.
void keep_vectors(uint first) {
    EACH_KEPT(quad, col) kept[quad] = LOAD4(x4[(first + min(col, cols - 4)) / 4]);
    EACH_KEPT(quad, col) if (col >= cols) kept[quad] = vec4(NEGATIVE_INFINITY);
}

void main() {
    if (linear_group() >= rows) return;
    take_row(linear_group() * cols, cols);
    if (row_aligned)
        keep_vectors(row_first);
    else
        keep_row(row_first, cols, NEGATIVE_INFINITY);
    const float most = row_largest(NEGATIVE_INFINITY), sum = row_exponentials(most);
    if (gl_LocalInvocationIndex == 0)
        y[linear_group()] = STORE(isinf(most) ? most : most + log(sum));
}
