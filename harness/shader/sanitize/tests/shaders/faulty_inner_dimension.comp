// SPDX-License-Identifier: Apache-2.0
// The next row begins behind the end of this one.
// finds: bounds, tile
// buffers: 256
// groups: 1
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
shared float tile[4][16];

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    uint row = i / 16u, col = i % 16u;
    tile[row][col] = float(i);
    barrier();
    y[i] = tile[row][col + 1u];
}
