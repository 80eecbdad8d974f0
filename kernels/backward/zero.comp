// SPDX-License-Identifier: Apache-2.0
// Writes zeros, the start of atomic additions.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"

layout(binding = 0) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, cols; };

void main() {
    const uint i = linear_invocation();
    if (i < rows * cols) y[i] = STORE(0.0);
}
