// SPDX-License-Identifier: Apache-2.0
// Two tensors of rows that are read once: x, or the saved result, as the row kept by row_cache.glsl, and dy beside it.
// The shader declares the push constants before including this file.
#include "row_quads.glsl"

layout(binding = 0) readonly buffer Dy { T dy[]; };
layout(binding = 0) readonly buffer Dy4 { VEC4T dy4[]; };
layout(binding = 1) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer X4 { VEC4T x4[]; };
QUAD_READER(dy_quad, dy, dy4)
QUAD_READER(x_quad, x, x4)

vec4 element4(uint col) {
    return x_quad(row_first, col);
}
#include "row_cache.glsl"

vec4 kept_dy[QUADS];

// The readers return 0 beyond the row's end.
void keep_rows(uint first, uint count) {
    keep_row(first, count, 0.0);
    EACH_KEPT(quad, col) kept_dy[quad] = dy_quad(first, col);
}

// Runs a statement for each quad of the row, with its first column and its elements of both tensors.
#define EACH_PAIR(col, x_of, dy_of, statement)                                                \
    EACH_KEPT(quad, col) {                                                                    \
        const vec4 x_of = kept[quad], dy_of = kept_dy[quad];                                  \
        statement;                                                                            \
    }                                                                                         \
    EACH_OTHER(col) {                                                                         \
        const vec4 x_of = element4(col), dy_of = dy_quad(row_first, col);                     \
        statement;                                                                            \
    }
