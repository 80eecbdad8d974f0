// SPDX-License-Identifier: Apache-2.0
// Each workgroup takes one key: neighbours read neighbouring elements, and a tree adds up their sums.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "reduce.glsl"

layout(binding = 0) readonly buffer Q { T q[]; };
layout(binding = 1) readonly buffer K { T k[]; };
layout(binding = 2) writeonly buffer S { T s[]; };
layout(push_constant) uniform Push { uint seq, head_dim; float scale; };

void main() {
    const uint key = linear_group();
    if (key >= seq) return;
    float sum = 0.0;
    for (uint i = gl_LocalInvocationIndex; i < head_dim; i += WG_SIZE)
        sum = fma(LOAD(q[i]), LOAD(k[key * head_dim + i]), sum);
    sum = reduce_sum(sum);
    if (gl_LocalInvocationIndex == 0) s[key] = STORE(sum * scale);
}
