// SPDX-License-Identifier: Apache-2.0
// finds: race, shared memory
// buffers: 256 512
// groups: 1
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
layout(std430, binding = 1) readonly buffer X { float x[]; };
shared float tile[64];

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    for (uint r = 0u; r < 2u; r++) {
        tile[i] = x[r * 64u + i];
        barrier();
        if (i == 0u) y[r] = tile[0] + tile[63];
    }
}
