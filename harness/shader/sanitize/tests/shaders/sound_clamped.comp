// SPDX-License-Identifier: Apache-2.0
// finds: nothing
// buffers: 256 256
// groups: 1
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
layout(std430, binding = 1) readonly buffer X { float x[]; };
shared float tile[64];

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    tile[i] = x[min(i + 1u, 63u)];
    barrier();
    y[i] = tile[max(int(i) - 1, 0)];
}
