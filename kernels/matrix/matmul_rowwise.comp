// SPDX-License-Identifier: Apache-2.0
// Computes c[m, n] = a[m, k] w[n, k]^T, ROWS outputs of one row per workgroup. This is a matrix times a vector for
// every row of a. If a has few rows, reading w is all the work.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "reduce.glsl"

layout(push_constant) uniform Push { uint m, n, k; };
#define rows n
#define cols k
#include "row_dot.glsl"
#include "epilogue.glsl"

void main() {
    const uint row = gl_WorkGroupID.y, first = gl_WorkGroupID.x * ROWS;
    dot_rows(first, row * k, gl_LocalInvocationIndex, WG_SIZE, 0, 1);
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        const float sum = reduce_sum(row_sums[r]);
        if (gl_LocalInvocationIndex == 0) put(row, first + r, sum);
    }
}
