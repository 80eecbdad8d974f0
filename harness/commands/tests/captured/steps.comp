// SPDX-License-Identifier: Apache-2.0
#version 450
// y[i] = scale * x[i ^ 1], by way of shared memory. FAULT chooses what is wrong with it.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint FAULT = 0;
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) writeonly buffer Y { float y[]; };
layout(binding = 2) uniform Factor { float scale; };
layout(push_constant) uniform Push { uint n; };
shared float tile[64];
void main() {
    const uint i = gl_GlobalInvocationID.x, at = gl_LocalInvocationID.x;
    if (FAULT != 2) tile[at] = i < n ? x[i] : 0; // 2: nobody writes what it reads
    if (FAULT != 1) barrier();                   // 1: a race
    const float neighbour = tile[at ^ 1];
    if (i < n || FAULT == 3) y[i] = scale * neighbour; // 3: past the end
}
