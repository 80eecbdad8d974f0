// SPDX-License-Identifier: Apache-2.0
// A window of each image at its own offset. Offsets are added as unsigned numbers, so any place outside, on either
// side, is a large row or column.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer Top { int top[]; };
layout(binding = 2) readonly buffer Left { int left_edge[]; };
layout(binding = 3) writeonly buffer Y { T y[]; };
layout(binding = 3) writeonly buffer YWide { VEC4T y_wide[]; };
layout(push_constant) uniform Push { uint n, c, h, w, oh, ow; };

vec4 load_quad(uint first, uint count) {
    uint col = first % ow, row = first / ow % oh, plane = first / ow / oh;
    uint image = plane / c;
    vec4 four = vec4(0.0);
    for (uint i = 0; i < 4 && first + i < count; i++) {
        const uint from_row = uint(top[image]) + row, from_col = uint(left_edge[image]) + col;
        if (from_row < h && from_col < w) four[i] = LOAD(x[(plane * h + from_row) * w + from_col]);
        if (++col < ow) continue;
        col = 0;
        if (++row < oh) continue;
        row = 0;
        image = ++plane / c;
    }
    return four;
}
#include "quads.glsl"

void main() {
    write_quads(n * c * oh * ow);
}
