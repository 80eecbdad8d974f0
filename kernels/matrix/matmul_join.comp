// SPDX-License-Identifier: Apache-2.0
// Adds the sums that `splits` workgroups have stored for each block of c, in the order of k. Four columns an invocation.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"

layout(binding = 0) readonly buffer Sums { vec4 sums[]; };
layout(push_constant) uniform Push { uint m, n, splits, whole_m, whole_n; };
#include "epilogue.glsl"

void main() {
    const uint quads = (n + 3) / 4, i = linear_invocation();
    if (i >= m * quads) return;
    const uint row = i / quads, quad = i % quads;
    vec4 sum = vec4(0.0);
    for (uint s = 0; s < splits; s++) sum += sums[(s * whole_m + row) * (whole_n / 4) + quad];
    put_quad(row, quad * 4, sum);
}
