// SPDX-License-Identifier: Apache-2.0
// Softmax, one workgroup per row. The row is read once and kept in registers, first logits, then exponentials. With
// LOGARITHM defined it writes the softmax's logarithm, and the logits stay.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "row_quads.glsl"
#include "logits.glsl"

QUAD_READER(x_quad, x, x4)
QUAD_WRITER(put_quad, y, y4)

#ifdef MASKED
QUAD_READER(mask_quad, mask, mask4)

vec4 element4(uint col) {
    const uint mask_first = linear_group() % mask_rows * cols;
    return scale * x_quad(row_first, col) + mask_quad(mask_first, col);
}
#else
vec4 element4(uint col) {
    return x_quad(row_first, col);
}
#endif

#ifndef LOGARITHM
#define KEEP_EXPONENTIALS
#endif
#include "row_cache.glsl"
#include "row_softmax.glsl"

void main() {
    if (linear_group() >= rows) return;
    keep_row(linear_group() * cols, cols, NEGATIVE_INFINITY);
    const float most = row_largest(LEAST), sum = row_exponentials(most);
#ifdef LOGARITHM
    const float shift = sum == 0.0 ? NEGATIVE_INFINITY : log(sum); // log(0) is not defined
    EACH_KEPT(quad, col) put_quad(row_first, col, kept[quad] - most - shift);
    EACH_OTHER(col) put_quad(row_first, col, element4(col) - most - shift);
#else
    const float inverse = INVERSE(sum);
    EACH_KEPT(quad, col) put_quad(row_first, col, kept[quad] * inverse);
    EACH_OTHER(col) put_quad(row_first, col, exp(element4(col) - most) * inverse);
#endif
}
