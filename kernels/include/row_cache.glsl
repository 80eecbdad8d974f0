// SPDX-License-Identifier: Apache-2.0
// A row that is read once: each invocation of its workgroup keeps ITEMS of its columns in registers, in quads.
// Columns beyond WG_SIZE * ITEMS are read again when needed.
//
// Before including this file, the shader includes row_quads.glsl and declares vec4 element4(uint col) to read or
// compute a quad of the row. EACH_KEPT visits the kept quads with their first columns; EACH_OTHER visits the
// first columns of the other quads. These loops must be unrolled, because an array indexed at run time is in
// memory.
#ifndef VKASSAY_ROW_CACHE
#define VKASSAY_ROW_CACHE

#include "workgroup.glsl"

layout(constant_id = 3) const uint ITEMS = 16;
const uint QUADS = ITEMS / 4u;

vec4 kept[QUADS];
#define KEPT(quad) kept[quad]

#define EACH_KEPT(quad, col)                                                                  \
    [[unroll]] for (uint quad = 0u, col = 4u * gl_LocalInvocationIndex; quad < QUADS;         \
                    quad++, col += 4u * WG_SIZE)
#define EACH_OTHER(col)                                                                       \
    for (uint col = 4u * (gl_LocalInvocationIndex + WG_SIZE * QUADS); col < row_count;        \
         col += 4u * WG_SIZE)

// Columns beyond the row's end count as `beyond`, here and in other_quad().
void keep_row(uint first, uint count, float beyond) {
    take_row(first, count);
    EACH_KEPT(quad, col) kept[quad] = within_row(col, element4(col), beyond);
}

vec4 other_quad(uint col, float beyond) {
    return within_row(col, element4(col), beyond);
}

// Returns the sum of the squared deviations of a quad from the mean.
float squares_about(uint col, vec4 four, float mean) {
    const vec4 centred = within_row(col, four - mean, 0.0);
    return dot(centred, centred);
}

#endif
