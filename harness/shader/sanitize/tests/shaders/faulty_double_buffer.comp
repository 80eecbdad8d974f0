// SPDX-License-Identifier: Apache-2.0
// finds: race, shared memory
// buffers: 256
// groups: 1
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
shared float tile[2][64];

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    float sum = 0.0;
    tile[0][i] = 0.0;
    barrier();
    for (uint k = 0u; k < 4u; k++) {
        tile[(k + 1u) % 2u][i] = float(i + k);
        sum += tile[k % 2u][n - 1u - i];
        if (k % 2u == 0u) barrier();
    }
    y[i] = sum;
}
