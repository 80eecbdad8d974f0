// SPDX-License-Identifier: Apache-2.0
// Kernels that are right up to a limit. BODY, from the manifest, is the work of an invocation.
#version 450
#include "grid.glsl"
layout(binding = 0) readonly buffer X { CELL x[]; };
layout(binding = 1) writeonly buffer Y { CELL y[]; };
layout(push_constant) uniform Push { uint PUSH; };

shared float sums[64];

// Adds the parts of all 64 invocations.
float sum_of(float part) {
    float total = 0.0;
    sums[gl_LocalInvocationIndex] = part;
    barrier();
    for (uint i = 0; i < 64; i++) total += sums[i];
    return total;
}

void main() { BODY }
