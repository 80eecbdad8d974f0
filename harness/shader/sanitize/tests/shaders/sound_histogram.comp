// SPDX-License-Identifier: Apache-2.0
// finds: nothing
// buffers: 256
// groups: 3
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { uint total[]; };
shared uint bins[8];

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    if (i < 8u) bins[i] = 0u;
    barrier();
    atomicAdd(bins[i % 8u], 1u);
    barrier();
    if (i < 8u) atomicAdd(total[i], bins[i]);
}
