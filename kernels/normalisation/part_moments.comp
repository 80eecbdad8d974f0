// SPDX-License-Identifier: Apache-2.0
// Moments of parts of rows, one workgroup a part, which is read once and kept in registers. A part's moments are its
// sum, its rounded mean, and the sums of the deviations from this mean and of their squares.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "row_quads.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) writeonly buffer Moments { vec4 part_moments[]; }; // sum, mean, deviations, squares
#define ROWS
#include "parts.glsl"

QUAD_READER(x_quad, x, x4)

vec4 element4(uint col) {
    return x_quad(row_first, col);
}
#include "row_cache.glsl"
#include "row_moments.glsl"

float row_deviations(float mean) {
    float sum = 0.0;
    EACH_KEPT(quad, col) sum += sum4(within_row(col, kept[quad] - mean, 0.0));
    EACH_OTHER(col) sum += sum4(within_row(col, element4(col) - mean, 0.0));
    return reduce_sum(sum);
}

void main() {
    const uint block = WG_SIZE * ITEMS, blocks = blocks_of(block), row = linear_group() / blocks;
    if (row >= rows) return;
    const uvec2 part = part_of_row(row, linear_group() % blocks, block);
    keep_row(part.x, part.y - part.x, 0.0);
    const float sum = row_sum(), mean = sum / float(row_count);
    const float deviations = row_deviations(mean), squares = squared_deviations(mean);
    if (gl_LocalInvocationIndex == 0) part_moments[linear_group()] = vec4(sum, mean, deviations, squares);
}
