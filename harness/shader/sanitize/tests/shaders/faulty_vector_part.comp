// SPDX-License-Identifier: Apache-2.0
// finds: race, tile
// buffers: 256
// groups: 1
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
shared vec4 tile[16];

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    tile[i / 4u][i % 4u] = float(i);
    vec4 all = tile[i / 4u];
    y[i] = all.x + all.w;
}
