// SPDX-License-Identifier: Apache-2.0
// Softmax of few, long rows; workgroups share a row in blocks of WG_X * ITEMS columns. The first pass (PARTS defined)
// computes each block's maximum and sum of exponentials. In the second, each workgroup combines these for its whole row
// and writes its block, or its logarithm (LOGARITHM defined). The last block comes first, because the caches still hold
// the data that the first pass read last. With TOTAL defined, one workgroup a row writes the logarithm of the row's sum
// of exponentials.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "reduce.glsl"
#include "row_quads.glsl"
#define LEAST uintBitsToFloat(0xff7fffffu) // as in logits.glsl: a block may hold only -inf

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
#ifdef PARTS
layout(binding = 1) writeonly buffer Most { float block_most[]; };
layout(binding = 2) writeonly buffer Sum { float block_sum[]; };
#else
layout(binding = 1) readonly buffer Most { float block_most[]; };
layout(binding = 2) readonly buffer Sum { float block_sum[]; };
layout(binding = 3) writeonly buffer Y { T y[]; };
layout(binding = 3) writeonly buffer Y4 { VEC4T y4[]; };
QUAD_WRITER(put_quad, y, y4)
#endif
layout(push_constant) uniform Push { uint rows, cols; };

QUAD_READER(x_quad, x, x4)

vec4 element4(uint col) {
    return x_quad(row_first, col);
}
#include "row_cache.glsl"
#include "row_softmax.glsl"

void main() {
    const uint block_size = WG_SIZE * ITEMS, blocks = (cols - 1) / block_size + 1;
#ifdef PARTS
    const uvec2 place = gl_WorkGroupID.xy;
#else
    const uvec2 place = gl_NumWorkGroups.xy - 1 - gl_WorkGroupID.xy;
#endif
    const uint first = place.x * block_size, part = place.y * blocks;
#if defined(PARTS) || !defined(TOTAL)
    keep_row(place.y * cols + first, min(cols - first, block_size), NEGATIVE_INFINITY);
#endif
#ifdef PARTS
    const float most = row_largest(LEAST), sum = row_exponentials(most);
    if (gl_LocalInvocationIndex > 0) return;
    block_most[part + place.x] = most;
    block_sum[part + place.x] = sum;
#else
    float most = LEAST, sum = 0.0;
    for (uint i = gl_LocalInvocationIndex; i < blocks; i += WG_SIZE)
        most = larger(most, block_most[part + i]);
    most = reduce_max(most);
    for (uint i = gl_LocalInvocationIndex; i < blocks; i += WG_SIZE)
        sum += block_sum[part + i] * exp(block_most[part + i] - most);
    sum = reduce_sum(sum);
#if defined(TOTAL) || defined(LOGARITHM)
    const float shift = sum == 0.0 ? NEGATIVE_INFINITY : log(sum); // log(0) is not defined
#endif
#if defined(TOTAL)
    if (gl_LocalInvocationIndex == 0) y[place.y] = STORE(isinf(most) ? most : most + shift);
#elif defined(LOGARITHM)
    EACH_KEPT(quad, col) put_quad(row_first, col, kept[quad] - most - shift);
#else
    const float inverse = 1.0 / sum;
    EACH_KEPT(quad, col) put_quad(row_first, col, exp(kept[quad] - most) * inverse);
#endif
#endif
}
