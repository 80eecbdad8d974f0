// SPDX-License-Identifier: Apache-2.0
// The dot product of a and b in SHARES parts, one per workgroup; dot_join.comp adds up the parts. Each invocation
// strides through its workgroup's part, four elements at a time.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "reduce.glsl"

layout(binding = 0) readonly buffer A { T a[]; };
layout(binding = 0) readonly buffer A4 { VEC4T a4[]; };
layout(binding = 1) readonly buffer B { T b[]; };
layout(binding = 1) readonly buffer B4 { VEC4T b4[]; };
layout(binding = 2) writeonly buffer Parts { float parts[]; };
layout(push_constant) uniform Push { uint n, shares; };

void main() {
    const uint lane = gl_WorkGroupID.x * WG_SIZE + gl_LocalInvocationIndex;
    const uint lanes = shares * WG_SIZE;
    vec4 four = vec4(0.0);
    for (uint i = lane; i < n / 4; i += lanes) four = fma(LOAD4(a4[i]), LOAD4(b4[i]), four);
    float sum = (four.x + four.y) + (four.z + four.w);
    const uint rest = n - n % 4 + lane;
    if (rest < n) sum = fma(LOAD(a[rest]), LOAD(b[rest]), sum);
    sum = reduce_sum(sum);
    if (gl_LocalInvocationIndex == 0) parts[gl_WorkGroupID.x] = sum;
}
