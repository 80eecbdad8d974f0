// SPDX-License-Identifier: Apache-2.0
// A barrier of subgroups does not order different subgroups.
// finds: race, shared memory
// buffers: 256
// groups: 1
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
shared float tile[64];

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    tile[i] = float(i);
    subgroupBarrier();
    y[i] = tile[n - 1u - i];
}
