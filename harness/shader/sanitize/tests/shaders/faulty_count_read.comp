// SPDX-License-Identifier: Apache-2.0
// finds: race, storage
// buffers: 256 4
// groups: 1
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
layout(std430, binding = 1) buffer C { uint count; };

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    atomicAdd(count, 1u);
    y[i] = float(count);
}
