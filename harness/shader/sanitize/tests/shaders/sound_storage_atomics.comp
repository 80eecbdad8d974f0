// SPDX-License-Identifier: Apache-2.0
// finds: nothing
// buffers: 256
// groups: 3
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { uint total[]; };

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    atomicAdd(total[0], i);
    atomicMax(total[1], g);
    atomicOr(total[2], 1u << (i % 32u));
}
