// SPDX-License-Identifier: Apache-2.0
// finds: nothing
// buffers: 256
// groups: 3
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
shared float tile[64];

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    if (g > 0u) return;
    tile[i] = float(i);
    barrier();
    y[i] = tile[n - 1u - i];
}
