// SPDX-License-Identifier: Apache-2.0
// Rows appended to a cache, at a position of its own way.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { float x[]; };
layout(binding = 1) buffer C { float cache[]; };
layout(push_constant) uniform P { uint batch, kv_heads, capacity, head_dim, position, seq; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= batch * kv_heads * seq * head_dim) return;
    uint d = i % head_dim, s = i / head_dim % seq, h = i / head_dim / seq;
    cache[(h * capacity + POS(position) + s) * head_dim + d] = x[i];
}
