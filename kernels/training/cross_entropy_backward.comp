// SPDX-License-Identifier: Apache-2.0
// Gradient of cross-entropy, one workgroup per row: its softmax less the label. The row is read once and kept in
// registers. Rows that do not count are set to 0.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "row_quads.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) readonly buffer Target { int target[]; };
layout(binding = 2) readonly buffer Share { float share[]; };
layout(binding = 3) writeonly buffer Dx { T dx[]; };
layout(binding = 3) writeonly buffer Dx4 { VEC4T dx4[]; };
layout(push_constant) uniform Push { uint rows, cols; int ignore_index; float label_smoothing; };
#include "class.glsl"

QUAD_READER(x_quad, x, x4)
QUAD_WRITER(put_quad, dx, dx4)

vec4 element4(uint col) {
    return x_quad(row_first, col);
}
#define KEEP_EXPONENTIALS
#include "row_cache.glsl"
#include "row_softmax.glsl"

void put_gradient(uint col, vec4 p) {
    const uvec4 cols4 = uvec4(col) + uvec4(0, 1, 2, 3);
    const float cold = label_smoothing / float(cols), hot = (1.0 - label_smoothing) + cold;
    const bvec4 is_hot = equal(cols4, uvec4(target[linear_group()]));
    put_quad(row_first, col, share[0] * (p - mix(vec4(cold), vec4(hot), is_hot)));
}

void main() {
    const uint row = linear_group();
    if (row >= rows) return;
    if (!is_counted(target[row])) {
        take_row(row * cols, cols);
        for (uint col = 4 * gl_LocalInvocationIndex; col < cols; col += 4 * WG_SIZE)
            put_quad(row_first, col, vec4(0.0));
        return;
    }
    keep_row(row * cols, cols, NEGATIVE_INFINITY);
    const float most = row_largest(NEGATIVE_INFINITY), inverse = 1.0 / row_exponentials(most);
    EACH_KEPT(quad, col) put_gradient(col, kept[quad] * inverse);
    EACH_OTHER(col) put_gradient(col, exp(element4(col) - most) * inverse);
}
