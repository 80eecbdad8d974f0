// SPDX-License-Identifier: Apache-2.0
// Variance of all elements, each read once (T. Chan, G. Golub and R. LeVeque, Algorithms for computing the
// sample variance, 1983). The first pass computes sum and squared deviations of blocks of WG_X * ITEMS elements,
// kept in registers. The second (LAST defined) merges them, including the deviations of the blocks' means from
// the total mean. The first element is subtracted from all elements, so that a large mean causes no
// cancellation.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "row_quads.glsl"

layout(push_constant) uniform Push { uint n; int correction; };

#ifdef LAST
layout(constant_id = 3) const uint ITEMS = 16;

layout(binding = 0) readonly buffer Sums { float sums[]; };
layout(binding = 1) readonly buffer Squares { float squares[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };

void main() {
    const uint block = WG_SIZE * ITEMS, blocks = (n - 1) / block + 1;
    float sum = 0.0, deviations = 0.0;
    for (uint i = gl_LocalInvocationIndex; i < blocks; i += WG_SIZE) sum += sums[i];
    const float mean = reduce_sum(sum) / float(n);
    for (uint i = gl_LocalInvocationIndex; i < blocks; i += WG_SIZE) {
        const float count = float(min(n - i * block, block)), shift = sums[i] / count - mean;
        deviations += squares[i] + count * shift * shift;
    }
    deviations = reduce_sum(deviations);
    if (gl_LocalInvocationIndex == 0) y[0] = STORE(deviations / float(int(n) - correction));
}
#else
layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) writeonly buffer Sums { float sums[]; };
layout(binding = 2) writeonly buffer Squares { float squares[]; };

QUAD_READER(x_quad, x, x4)

vec4 element4(uint i) {
    return within_row(i, x_quad(row_first, i) - LOAD(x[0]), 0.0);
}
#include "row_cache.glsl"
#include "row_moments.glsl"

void main() {
    const uint first = linear_first(WG_SIZE * ITEMS);
    if (first >= n) return;
    keep_row(first, min(n - first, WG_SIZE * ITEMS), 0.0);
    const float sum = row_sum(), deviations = squared_deviations(sum / float(row_count));
    if (gl_LocalInvocationIndex == 0) {
        sums[linear_group()] = sum;
        squares[linear_group()] = deviations;
    }
}
#endif
