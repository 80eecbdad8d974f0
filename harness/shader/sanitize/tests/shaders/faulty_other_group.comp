// SPDX-License-Identifier: Apache-2.0
// finds: race, nothing orders the workgroups
// buffers: 256 256
// groups: 2
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
layout(std430, binding = 1) buffer Z { float z[]; };

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    if (i == 0u) y[g] = float(g);
    if (i == 0u) z[g] = y[1u - g];
}
