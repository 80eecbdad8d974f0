// SPDX-License-Identifier: Apache-2.0
// finds: race, m
// buffers: 256
// groups: 1
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
shared mat4 m[4];

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    m[i / 16u][i % 4u][(i / 4u) % 4u] = float(i);
    y[i] = m[i / 16u][(i + 1u) % 4u][(i / 4u) % 4u];
}
