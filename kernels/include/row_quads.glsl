// SPDX-License-Identifier: Apache-2.0
// Accesses a stretch of elements four at a time: as vectors if it starts and ends at multiples of four, otherwise one
// by one. Any length is right, and the usual ones are fast.
#ifndef VKASSAY_ROW_QUADS
#define VKASSAY_ROW_QUADS

#include "types.glsl"

// The stretch: a row. Its columns col to col + 3 are a quad.
uint row_first, row_count;
bool row_aligned;

void take_row(uint first, uint count) {
    row_first = first;
    row_count = count;
    row_aligned = (first & 3u) == 0u && (count & 3u) == 0u;
}

// Defines a reader of quads from a buffer declared as T x[] and as VEC4T x4[]. The row starts at `first`; elements
// beyond its end are 0.
#define QUAD_READER(name, x, x4)                                                              \
    vec4 name(uint first, uint col) {                                                         \
        vec4 four = vec4(0.0);                                                                \
        if (row_aligned) {                                                                    \
            if (col < row_count) four = LOAD4(x4[(first + col) / 4u]);                        \
            return four;                                                                      \
        }                                                                                     \
        [[unroll]] for (uint j = 0u; j < 4u; j++)                                             \
            if (col + j < row_count) four[j] = LOAD(x[first + col + j]);                      \
        return four;                                                                          \
    }

#define QUAD_WRITER(name, y, y4)                                                              \
    void name(uint first, uint col, vec4 four) {                                              \
        if (row_aligned) {                                                                    \
            if (col < row_count) y4[(first + col) / 4u] = STORE4(four);                       \
            return;                                                                           \
        }                                                                                     \
        [[unroll]] for (uint j = 0u; j < 4u; j++)                                             \
            if (col + j < row_count) y[first + col + j] = STORE(four[j]);                     \
    }

// Returns the quad, with `beyond` in columns beyond the row's end.
vec4 within_row(uint col, vec4 four, float beyond) {
    const uvec4 cols = uvec4(col) + uvec4(0u, 1u, 2u, 3u);
    return mix(vec4(beyond), four, lessThan(cols, uvec4(row_count)));
}

float sum4(vec4 four) {
    return (four.x + four.y) + (four.z + four.w);
}

#ifdef VKASSAY_REDUCE
float largest4(vec4 four) {
    return larger(larger(four.x, four.y), larger(four.z, four.w));
}
#endif

#endif
