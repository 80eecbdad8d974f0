// SPDX-License-Identifier: Apache-2.0
// finds: nothing
// buffers: 256
// groups: 1
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
shared float tile[64];

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    tile[i] = float(i);
    barrier();
    for (uint s = n / 2u; s > 0u; s /= 2u) {
        if (i < s) tile[i] += tile[i + s];
        barrier();
    }
    if (i == 0u) y[0] = tile[0];
}
