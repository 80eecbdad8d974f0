// SPDX-License-Identifier: Apache-2.0
// Computes up = silu(gate) * up, between the products of an unfused feed-forward block.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "../elementwise/activations.glsl"

layout(binding = 0) readonly buffer Gate { float gate[]; };
layout(binding = 1) buffer Up { float up[]; };
layout(push_constant) uniform Push { uint rows, hidden; };

void main() {
    const uint i = linear_invocation();
    if (i < rows * hidden) up[i] = silu(gate[i]) * up[i];
}
