// SPDX-License-Identifier: Apache-2.0
// Each invocation computes a quad of a row of c: an element of a times four of b.
#version 450
#extension GL_GOOGLE_include_directive : require
#define OUTER
#include "product.glsl"

void main() {
    const uint row = gl_GlobalInvocationID.y, col = gl_GlobalInvocationID.x * 4;
    if (row < m && col < n) put_quad(row, col, LOAD(a[row]) * b_quad(0, col));
}
