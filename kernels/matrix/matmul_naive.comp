// SPDX-License-Identifier: Apache-2.0
// One invocation an element of c, straight from memory. With the row on y, neighbours on x read
// neighbouring elements of b and share one of a; with the row on x (ROW_X defined) they read a
// column of a and write a column of c, a whole row apart.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"

layout(binding = 0) readonly buffer A { T a[]; };
layout(binding = 1) readonly buffer B { T b[]; };
layout(binding = 2) writeonly buffer C { T c[]; };
layout(push_constant) uniform Push { uint m, n, k; };

void main() {
#ifdef ROW_X
    const uint row = gl_GlobalInvocationID.x, col = gl_GlobalInvocationID.y;
#else
    const uint row = gl_GlobalInvocationID.y, col = gl_GlobalInvocationID.x;
#endif
    if (row >= m || col >= n) return;
    float sum = 0.0;
    for (uint i = 0; i < k; i++) sum = fma(LOAD(a[row * k + i]), LOAD(b[i * n + col]), sum);
    c[row * n + col] = STORE(sum);
}
