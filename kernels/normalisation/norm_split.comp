// SPDX-License-Identifier: Apache-2.0
// Group and instance norm of rows that workgroups share in parts; a row is a group of channels of one image. Each
// workgroup joins the moments of its row's parts (part_moments.comp) as join_pieces.comp does, and writes its part. The
// last part comes first, because the caches still hold the data that the previous pass read last.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "row_quads.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) readonly buffer Gamma { T gamma[]; };
layout(binding = 2) readonly buffer Beta { T beta[]; };
layout(binding = 3) readonly buffer Moments { vec4 part_moments[]; }; // sum, mean, deviations, squares
layout(binding = 4) writeonly buffer Y { T y[]; };
layout(binding = 4) writeonly buffer Y4 { VEC4T y4[]; };
#define ROWS
#define PARAMETERS uint plane, groups; float eps;
#include "parts.glsl"
QUAD_READER(x_quad, x, x4)
QUAD_WRITER(put_quad, y, y4)

vec4 element4(uint col) {
    return x_quad(row_first, col);
}
#include "row_cache.glsl"

uint channel, within; // of the next quad's first column: its channel, and the columns of that channel before it
float mean, scale;

void join_parts(uint row, uint block) {
    const uint blocks = blocks_of(block);
    float sum = 0.0, squares = 0.0;
    for (uint i = gl_LocalInvocationIndex; i < blocks; i += WG_SIZE) sum += part_moments[row * blocks + i].x;
    mean = reduce_sum(sum) / float(n);
    for (uint i = gl_LocalInvocationIndex; i < blocks; i += WG_SIZE) {
        const uvec2 part = part_of_row(row, i, block);
        const vec4 moments = part_moments[row * blocks + i];
        const float shift = moments.y - mean;
        squares += moments.w + shift * (float(part.y - part.x) * shift + 2.0 * moments.z);
    }
    scale = inversesqrt(reduce_sum(squares) / float(n) + eps);
}

// Computes the quad's scale and shift. A channel may end between two of its columns.
void affine_quad(uint col, out vec4 gain, out vec4 shift) {
    uint at = channel, left = plane - within;
    gain = vec4(LOAD(gamma[at]));
    shift = vec4(LOAD(beta[at]));
    if (left >= min(4, row_count - col)) return;
    for (uint j = 0; j < min(4, row_count - col); j++, left--) {
        if (left == 0) {
            at++;
            left = plane;
        }
        gain[j] = LOAD(gamma[at]);
        shift[j] = LOAD(beta[at]);
    }
}

// Writes a quad and goes on to the next one. Channels are counted on, which avoids divisions.
void emit(uint col, vec4 four) {
    vec4 gain, shift;
    if (col >= row_count) return;
    affine_quad(col, gain, shift);
    put_quad(row_first, col, (four - mean) * scale * gain + shift);
    channel += 4 * WG_SIZE / plane;
    within += 4 * WG_SIZE % plane;
    if (within < plane) return;
    within -= plane;
    channel++;
}

void main() {
    const uint block = WG_SIZE * ITEMS, blocks = blocks_of(block);
    if (linear_group() >= rows * blocks) return;
    const uint place = rows * blocks - 1 - linear_group(), row = place / blocks;
    const uvec2 part = part_of_row(row, place % blocks, block);
    keep_row(part.x, part.y - part.x, 0.0);
    join_parts(row, block);
    const uint first = part.x - row * n + 4 * gl_LocalInvocationIndex;
    channel = row % groups * (n / plane) + first / plane;
    within = first % plane;
    EACH_KEPT(quad, col) emit(col, kept[quad]);
    EACH_OTHER(col) emit(col, element4(col));
}
