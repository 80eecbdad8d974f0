// SPDX-License-Identifier: Apache-2.0
// Each invocation takes one element of the head and walks down its column of the values.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"

layout(binding = 0) readonly buffer W { T w[]; };
layout(binding = 1) readonly buffer V { T v[]; };
layout(binding = 2) writeonly buffer O { T o[]; };
layout(push_constant) uniform Push { uint seq, head_dim; };

void main() {
    const uint col = linear_invocation();
    if (col >= head_dim) return;
    float sum = 0.0;
    for (uint i = 0; i < seq; i++) sum = fma(LOAD(w[i]), LOAD(v[i * head_dim + col]), sum);
    o[col] = STORE(sum);
}
