// SPDX-License-Identifier: Apache-2.0
// finds: nothing
// buffers: 256
// groups: 1
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) buffer Y { float y[]; };
shared float tile[8][8];

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    uint row = gl_LocalInvocationID.y, at = row * 8u + i;
    tile[row][i] = float(at);
    barrier();
    y[at] = tile[i][row];
}
