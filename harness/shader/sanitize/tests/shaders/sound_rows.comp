// SPDX-License-Identifier: Apache-2.0
// Each turn has its own part of the memory, so one barrier is enough.
// finds: nothing
// buffers: 256 512
// groups: 1
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
layout(std430, binding = 1) readonly buffer X { float x[]; };
shared float tile[128];

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    for (uint r = 0u; r < 2u; r++) {
        tile[r * 64u + i] = x[r * 64u + i];
        barrier();
        if (i == 0u) y[r] = tile[r * 64u] + tile[r * 64u + 63u];
    }
}
