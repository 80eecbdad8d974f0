// SPDX-License-Identifier: Apache-2.0
// The whole workgroup takes a branch or none of it.
// finds: nothing
// buffers: 768
// groups: 3
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
shared float tile[64];

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    tile[i] = float(i);
    if (g == 1u) barrier();
    y[g * 64u + i] = g == 1u ? tile[n - 1u - i] : tile[i];
}
