// SPDX-License-Identifier: Apache-2.0
// Each invocation takes one key: its scaled dot product with the query.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"

layout(binding = 0) readonly buffer Q { T q[]; };
layout(binding = 1) readonly buffer K { T k[]; };
layout(binding = 2) writeonly buffer S { T s[]; };
layout(push_constant) uniform Push { uint seq, head_dim; float scale; };

void main() {
    const uint key = linear_invocation();
    if (key >= seq) return;
    float sum = 0.0;
    for (uint i = 0; i < head_dim; i++) sum = fma(LOAD(q[i]), LOAD(k[key * head_dim + i]), sum);
    s[key] = STORE(sum * scale);
}
