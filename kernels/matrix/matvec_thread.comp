// SPDX-License-Identifier: Apache-2.0
// One invocation a row: no co-operation, and neighbours read weights a whole row apart.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"

layout(binding = 0) readonly buffer W { T w[]; };
layout(binding = 1) readonly buffer X { T x[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, cols; };

void main() {
    const uint row = linear_invocation();
    if (row >= rows) return;
    float sum = 0.0;
    for (uint col = 0; col < cols; col++) sum = fma(LOAD(w[row * cols + col]), LOAD(x[col]), sum);
    y[row] = STORE(sum);
}
