// SPDX-License-Identifier: Apache-2.0
// finds: unset, tile
// buffers: 256 240
// groups: 1
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
layout(std430, binding = 1) readonly buffer X { float x[]; };
shared float tile[64];

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    if (i < 60u) tile[i] = x[i];
    barrier();
    float sum = 0.0;
    for (uint k = 0u; k < 64u; k++) sum += tile[k];
    y[i] = sum;
}
