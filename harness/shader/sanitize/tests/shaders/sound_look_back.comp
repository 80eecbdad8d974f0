// SPDX-License-Identifier: Apache-2.0
// finds: nothing
// buffers: 256 4
// groups: 4
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
layout(std430, binding = 1) buffer C { uint count; };

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    if (i != 0u) return;
    float before = 0.0;
    if (g > 0u) {
        uint seen = 0u;
        for (uint k = 0u; k < 100000u && seen < g; k++) seen = atomicAdd(count, 0u);
        if (seen < g) return;
        memoryBarrierBuffer();
        before = y[g - 1u];
    }
    y[g] = before + float(g);
    memoryBarrierBuffer();
    atomicAdd(count, 1u);
}
