// SPDX-License-Identifier: Apache-2.0
// Centres and scales channels of images by given numbers, four elements at a time. The channel is found once for four,
// and again if a plane ends between them.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) readonly buffer Mean { T mean[]; };
layout(binding = 2) readonly buffer Deviation { T deviation[]; };
layout(binding = 3) writeonly buffer Y { T y[]; };
layout(binding = 3) writeonly buffer YWide { VEC4T y_wide[]; };
layout(push_constant) uniform Push { uint n, c, plane; };

vec4 load_quad(uint first, uint count) {
    uint channel = first / plane % c, left = plane - first % plane;
    vec4 four;
    if (count - first >= 4)
        four = LOAD4(x4[first / 4]);
    else
        for (uint i = 0; i < count - first; i++) four[i] = LOAD(x[first + i]);
    if (left >= 4) return (four - LOAD(mean[channel])) / LOAD(deviation[channel]);
    for (uint i = 0; i < 4; i++) {
        four[i] = (four[i] - LOAD(mean[channel])) / LOAD(deviation[channel]);
        if (--left > 0) continue;
        left = plane;
        channel = (channel + 1) % c;
    }
    return four;
}
#include "quads.glsl"

void main() {
    write_quads(n * c * plane);
}
