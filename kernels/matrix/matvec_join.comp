// SPDX-License-Identifier: Apache-2.0
// The second pass of matvec_split.comp, with one row per invocation.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"

layout(binding = 0) readonly buffer Parts { float parts[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, splits; };

void main() {
    const uint row = linear_invocation();
    if (row >= rows) return;
    float sum = 0.0;
    for (uint part = 0; part < splits; part++) sum += parts[row * splits + part];
    y[row] = STORE(sum);
}
