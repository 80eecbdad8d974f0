// SPDX-License-Identifier: Apache-2.0
// Sum of all elements in two passes: each workgroup of the first adds up a block of WG_X * ITEMS
// elements, strided so that neighbours read neighbours; the one workgroup of the second (defined
// LAST) adds up the blocks' sums, however many.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "reduce.glsl"

layout(constant_id = 3) const uint ITEMS = 16;

#ifdef LAST
layout(binding = 0) readonly buffer Partial { float x[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
#else
layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Partial { float y[]; };
#endif
layout(push_constant) uniform Push { uint n; };

void main() {
    const uint block = WG_SIZE * ITEMS, blocks = (n - 1) / block + 1;
    float sum = 0.0;
#ifdef LAST
    for (uint i = gl_LocalInvocationIndex; i < blocks; i += WG_SIZE) sum += x[i];
    sum = reduce_sum(sum);
    if (gl_LocalInvocationIndex == 0) y[0] = STORE(sum);
#else
    const uint first = linear_first(block);
    if (linear_group() >= blocks) return;
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < n - first) sum += LOAD(x[first + at]);
    sum = reduce_sum(sum);
    if (gl_LocalInvocationIndex == 0) y[linear_group()] = sum;
#endif
}
