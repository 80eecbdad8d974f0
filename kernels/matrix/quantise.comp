// SPDX-License-Identifier: Apache-2.0
// Converts blocks of 32 floats, one per invocation, to signed bytes and a step; the largest float is 127 steps.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"

layout(binding = 0) readonly buffer From { vec4 from[]; };
layout(binding = 1) writeonly buffer Bytes { uint bytes[]; };
layout(binding = 2) writeonly buffer Steps { float steps[]; };
layout(push_constant) uniform Push { uint lines, k; };

void main() {
    const uint block = linear_invocation();
    if (block >= lines * (k / 32)) return;
    vec4 four[8];
    float most = 0.0;
    [[unroll]] for (uint i = 0; i < 8; i++) {
        four[i] = from[block * 8 + i];
        const vec4 size = abs(four[i]);
        most = max(most, max(max(size.x, size.y), max(size.z, size.w)));
    }
    const float by = most > 0.0 ? 127.0 / most : 0.0;
    [[unroll]] for (uint i = 0; i < 8; i++) {
        const uvec4 whole = uvec4(ivec4(roundEven(four[i] * by))) & 0xffu;
        bytes[block * 8 + i] = whole.x | whole.y << 8 | whole.z << 16 | whole.w << 24;
    }
    steps[block] = most / 127.0;
}
