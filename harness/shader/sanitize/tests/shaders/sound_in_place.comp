// SPDX-License-Identifier: Apache-2.0
// finds: nothing
// buffers: 512
// groups: 2
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    y[g * n + i] = 2.0 * y[g * n + i];
}
