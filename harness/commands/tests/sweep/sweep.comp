// SPDX-License-Identifier: Apache-2.0
// y = -x, except for one argument: wrong in its last bit (SLIP), or not written (GAP).
#version 450
#extension GL_GOOGLE_include_directive : require
#include "grid.glsl"

layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) writeonly buffer Y { uint y[]; };
layout(push_constant) uniform Push { uint n; };

void main() {
    uint i = linear_invocation();
    if (i >= n) return;
    uint result = x[i] ^ 0x80000000u;
#ifdef SLIP
    if (x[i] == 0x3bfffeefu) result ^= 1u;
#endif
#ifdef GAP
    if (x[i] == 0x3c00beefu) return;
#endif
    y[i] = result;
}
