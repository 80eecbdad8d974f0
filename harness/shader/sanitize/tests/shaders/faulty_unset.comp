// SPDX-License-Identifier: Apache-2.0
// finds: unset, tile[63]
// buffers: 256
// groups: 1
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
shared float tile[64];

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    if (i < 63u) tile[i] = float(i);
    barrier();
    y[i] = tile[i];
}
