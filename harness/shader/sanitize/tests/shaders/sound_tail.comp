// SPDX-License-Identifier: Apache-2.0
// finds: nothing
// buffers: 400 400
// groups: 2
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
layout(std430, binding = 1) readonly buffer X { float x[]; };

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    uint at = g * n + i;
    if (at < 100u) y[at] = x[at];
}
