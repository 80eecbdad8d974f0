// SPDX-License-Identifier: Apache-2.0
// finds: bounds, 240 bytes
// buffers: 256 240
// groups: 1
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
layout(std430, binding = 1) readonly buffer X { vec4 x[]; };

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    vec4 v = x[i % 16u];
    y[i] = v.x + v.w;
}
