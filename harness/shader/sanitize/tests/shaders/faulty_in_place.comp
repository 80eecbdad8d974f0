// SPDX-License-Identifier: Apache-2.0
// finds: race, storage
// buffers: 256
// groups: 1
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    y[i] = i < 63u ? y[i + 1u] : 0.0;
}
