// SPDX-License-Identifier: Apache-2.0
// finds: nothing
// buffers: 256
// groups: 1
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
shared float tile[64];

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    uint first = i - gl_SubgroupInvocationID;
    tile[i] = float(i);
    subgroupBarrier();
    y[i] = tile[first + (gl_SubgroupInvocationID ^ 1u)];
}
