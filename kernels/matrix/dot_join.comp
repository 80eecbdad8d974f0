// SPDX-License-Identifier: Apache-2.0
// The second pass of dot.comp, with one workgroup.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "reduce.glsl"

layout(binding = 0) readonly buffer Parts { float parts[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint shares; };

void main() {
    float sum = 0.0;
    for (uint i = gl_LocalInvocationIndex; i < shares; i += WG_SIZE) sum += parts[i];
    sum = reduce_sum(sum);
    if (gl_LocalInvocationIndex == 0) y[0] = STORE(sum);
}
