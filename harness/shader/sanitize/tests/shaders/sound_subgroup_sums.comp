// SPDX-License-Identifier: Apache-2.0
// finds: nothing
// buffers: 256
// groups: 1
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
shared float tile[64];

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    float sum = subgroupAdd(float(i));
    if (gl_SubgroupInvocationID == 0u) tile[gl_SubgroupID] = sum;
    barrier();
    sum = 0.0;
    for (uint k = 0u; k < gl_NumSubgroups; k++) sum += tile[k];
    y[i] = sum;
}
