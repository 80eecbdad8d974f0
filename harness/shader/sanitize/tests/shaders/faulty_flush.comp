// SPDX-License-Identifier: Apache-2.0
// finds: race, bins
// buffers: 256
// groups: 1
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
shared uint bins[8];

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    if (i < 8u) bins[i] = 0u;
    barrier();
    atomicAdd(bins[i % 8u], 1u);
    if (i < 8u) y[i] = float(bins[i]);
}
