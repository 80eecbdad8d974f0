// SPDX-License-Identifier: Apache-2.0
// The first pass of a loss over elements: each workgroup adds the terms LOSS(x, t) of a block of WG_X * ITEMS
// elements.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "row_quads.glsl"
#include "terms.glsl"

layout(constant_id = 3) const uint ITEMS = 32;

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) readonly buffer Target { T target[]; };
layout(binding = 1) readonly buffer Target4 { VEC4T target4[]; };
layout(binding = 2) writeonly buffer Partial { float partial[]; };
layout(push_constant) uniform Push { uint n; };

QUAD_READER(x_quad, x, x4)
QUAD_READER(target_quad, target, target4)

void main() {
    const uint block = WG_SIZE * ITEMS, first = linear_first(block);
    if (first >= n) return;
    float sum = 0.0;
    take_row(first, min(n - first, block));
    for (uint col = 4 * gl_LocalInvocationIndex; col < row_count; col += 4 * WG_SIZE) {
        const vec4 a = x_quad(first, col), b = target_quad(first, col);
        const vec4 terms = vec4(LOSS(a.x, b.x), LOSS(a.y, b.y), LOSS(a.z, b.z), LOSS(a.w, b.w));
        sum += sum4(within_row(col, terms, 0.0));
    }
    sum = reduce_sum(sum);
    if (gl_LocalInvocationIndex == 0) partial[linear_group()] = sum;
}
