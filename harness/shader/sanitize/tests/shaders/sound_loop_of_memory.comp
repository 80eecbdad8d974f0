// SPDX-License-Identifier: Apache-2.0
// finds: nothing
// buffers: 256 4
// groups: 1
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
layout(std430, binding = 1) readonly buffer X { float x[]; };
shared float tile[64];

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    float sum = 0.0;
    uint turns = 2u + uint(x[0]);
    for (uint k = 0u; k < turns; k++) {
        tile[i] = float(k + i);
        barrier();
        sum += tile[n - 1u - i];
        barrier();
    }
    y[i] = sum;
}
