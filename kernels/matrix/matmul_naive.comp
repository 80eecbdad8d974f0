// SPDX-License-Identifier: Apache-2.0
// Each invocation computes one element of c straight from memory. With the row on y, neighbours on x read neighbouring
// elements of b and share one of a. With the row on x (ROW_X defined) they read a column of a and write a column of c,
// a whole row apart.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "product.glsl"

void main() {
#ifdef ROW_X
    const uint row = gl_GlobalInvocationID.x, col = gl_GlobalInvocationID.y;
#else
    const uint row = gl_GlobalInvocationID.y, col = gl_GlobalInvocationID.x;
#endif
    if (row >= m || col >= n) return;
#ifdef BATCHES
    if (MATRIX >= max(batch_a, batch_b)) return;
#endif
    float sum = 0.0;
    for (uint at = 0; at < k; at++) sum = fma(a_at(row, at), b_at(at, col), sum);
    put(row, col, sum);
}
