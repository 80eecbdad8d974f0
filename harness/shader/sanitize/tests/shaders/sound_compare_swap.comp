// SPDX-License-Identifier: Apache-2.0
// finds: nothing
// buffers: 256 4
// groups: 1
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
layout(std430, binding = 1) buffer C { uint count; };

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    uint met = 0u, old;
    for (uint k = 0u; k < 1000u; k++) {
        old = atomicCompSwap(count, met, met + 1u);
        if (old == met) break;
        met = old;
    }
    y[i] = 1.0;
}
