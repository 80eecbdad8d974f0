// SPDX-License-Identifier: Apache-2.0
// Each invocation takes one row: no cooperation, and neighbours read weights a whole row apart.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"

layout(binding = 2) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, cols; };
#include "row_dot.glsl"

void main() {
    const uint row = linear_invocation();
    if (row >= rows) return;
    dot_rows(row, 0, 0, 1, 0, 1);
    y[row] = STORE(row_sums[0]);
}
