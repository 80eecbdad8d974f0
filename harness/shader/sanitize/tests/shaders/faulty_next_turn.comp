// SPDX-License-Identifier: Apache-2.0
// finds: race, shared memory
// buffers: 256
// groups: 1
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
shared float tile[64];

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    float sum = 0.0;
    for (uint k = 0u; k < 2u; k++) {
        if (i == 0u) tile[0] = float(k);
        barrier();
        sum += tile[0];
    }
    y[i] = sum;
}
