// SPDX-License-Identifier: Apache-2.0
// Declares an array of 4 MiB in every invocation.
#version 450
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0) readonly buffer X { float x[]; };
layout(set = 0, binding = 1) writeonly buffer Y { float y[]; };
layout(push_constant) uniform Push { uint n; };

void main() {
    float big[1 << 20];
    uint i = gl_GlobalInvocationID.x;
    for (uint a = 0u; a < 64u; a++) big[(a * 7777777u + i) % (1u << 20)] = x[i % n];
    if (i < n) y[i] = big[(i * 99991u) % (1u << 20)];
}
