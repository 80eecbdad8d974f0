// SPDX-License-Identifier: Apache-2.0
// Gradient of the negative log-likelihood: one number at each target that counts, 0 elsewhere.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"

layout(binding = 0) readonly buffer Target { int target[]; };
layout(binding = 1) readonly buffer Share { float share[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };
layout(binding = 2) writeonly buffer YWide { VEC4T y_wide[]; };
layout(push_constant) uniform Push { uint rows, cols; int ignore_index; };
#include "class.glsl"

vec4 load_quad(uint first, uint count) {
    uint row = first / cols, col = first % cols;
    vec4 four = vec4(0.0);
    for (uint i = 0; i < 4 && first + i < count; i++) {
        const int kind = target[row];
        if (is_counted(kind) && uint(kind) == col) four[i] = -share[0];
        if (++col == cols) {
            col = 0;
            row++;
        }
    }
    return four;
}
#include "quads.glsl"

void main() {
    write_quads(rows * cols);
}
