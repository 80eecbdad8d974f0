// SPDX-License-Identifier: Apache-2.0
// finds: nothing
// buffers: 256 256
// groups: 1
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
layout(std430, binding = 1) readonly buffer X { float x[]; };
shared float tile[8][9];

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    uint row = i / 8u, col = i % 8u;
    tile[row][col] = x[i];
    barrier();
    y[i] = tile[col][row];
}
