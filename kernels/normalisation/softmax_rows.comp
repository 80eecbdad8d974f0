// SPDX-License-Identifier: Apache-2.0
// Softmax of short rows, several rows per workgroup. The invocations of a row keep its logits in registers. With
// LOGARITHM defined it writes the softmax's logarithm; with TOTAL, the logarithm of each row's sum of exponentials.
#version 450
#extension GL_GOOGLE_include_directive : require
#define LANES
#include "types.glsl"
#include "grid.glsl"
#include "lanes.glsl"
#include "reduce.glsl"

layout(push_constant) uniform Push { uint rows, cols; };
#include "lane_rows.glsl"

ROW_INPUT(0, x)
#ifdef TOTAL
layout(binding = 1) writeonly buffer Y { T y[]; };
#define LEAST NEGATIVE_INFINITY
#else
ROW_OUTPUT(1, y)
#define LEAST uintBitsToFloat(0xff7fffffu) // as in logits.glsl
#endif

#define KEPT(quad) x_kept(quad)
vec4 element4(uint col) {
    return x_at(row_first, col);
}

vec4 other_quad(uint col, float beyond) {
    return within_lane(col, element4(col), beyond);
}
// Few exponentials are kept for the quotients; many are computed again.
#define EXPONENTIALS_KEPT (QUADS <= 4u)
vec4 exponentials[QUADS];
#define EXPONENTIALS(quad, most) (exponentials[quad] = exp(KEPT(quad) - most))
#include "row_softmax.glsl"

void keep_logits() {
    keep_x(row_first, NEGATIVE_INFINITY);
}

void softmax_row() {
    const float most = row_largest(LEAST), sum = row_exponentials(most);
#if defined(TOTAL)
    if (lane == 0 && row_live) y[row_index] = STORE(isinf(most) ? most : most + log(sum));
#elif defined(LOGARITHM)
    const float shift = sum == 0.0 ? NEGATIVE_INFINITY : log(sum); // log(0) is not defined
    EACH_KEPT(quad, col) put_y(quad, col, KEPT(quad) - most - shift);
    EACH_OTHER(col) put_y_at(row_first, col, element4(col) - most - shift);
#else
    const float inverse = 1.0 / sum;
    EACH_KEPT(quad, col)
        put_y(quad, col, (EXPONENTIALS_KEPT ? exponentials[quad] : exp(KEPT(quad) - most)) * inverse);
    EACH_OTHER(col) put_y_at(row_first, col, exp(element4(col) - most) * inverse);
#endif
}

ROWS_MAIN(no_weights, keep_logits, softmax_row)
