// SPDX-License-Identifier: Apache-2.0
// finds: nothing
// buffers: 1024 4 256
// groups: 4
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Y { float y[]; };
layout(std430, binding = 1) buffer C { uint count; };
layout(std430, binding = 2) buffer Z { float z[]; };
shared uint is_last;

void main() {
    uint i = gl_LocalInvocationID.x, n = gl_WorkGroupSize.x, g = gl_WorkGroupID.x;
    y[g * 64u + i] = float(i);
    memoryBarrierBuffer();
    barrier();
    if (i == 0u) is_last = atomicAdd(count, 1u) == gl_NumWorkGroups.x - 1u ? 1u : 0u;
    barrier();
    if (is_last == 0u) return;
    float sum = 0.0;
    for (uint k = 0u; k < gl_NumWorkGroups.x; k++) sum += y[k * 64u + i];
    z[i] = sum;
}
