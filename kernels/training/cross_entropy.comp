// SPDX-License-Identifier: Apache-2.0
// Each row's cross-entropy, one workgroup per row: maximum, sum of exponentials and sum of the logits in one walk. Rows
// that do not count are not read.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "row_quads.glsl"
#define LEAST uintBitsToFloat(0xff7fffffu)
#include "../normalisation/online.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) readonly buffer Target { int target[]; };
layout(binding = 2) writeonly buffer Losses { float losses[]; };
layout(push_constant) uniform Push { uint rows, cols; int ignore_index; float label_smoothing; };
#include "class.glsl"

QUAD_READER(x_quad, x, x4)

void online_add4(vec4 four) {
    const float most = larger(online_most, largest4(four));
    online_sum = online_sum * exp(online_most - most) + sum4(exp(four - most));
    online_most = most;
}

void main() {
    const uint row = linear_group();
    if (row >= rows || !is_counted(target[row])) return;
    const uint first = row * cols;
    float total = 0.0;
    take_row(first, cols);
    if (row_aligned) { // once, not for each quad, because the loop's work is the limit
        for (uint col = 4 * gl_LocalInvocationIndex; col < cols; col += 4 * WG_SIZE) {
            const vec4 four = LOAD4(x4[(first + col) / 4]);
            online_add4(four);
            total += sum4(four);
        }
    } else {
        [[dont_unroll]] for (uint col = 4 * gl_LocalInvocationIndex; col < cols; col += 4 * WG_SIZE) {
            const vec4 four = x_quad(first, col);
            online_add4(within_row(col, four, NEGATIVE_INFINITY));
            total += sum4(four);
        }
    }
    const float most = reduce_max(online_most), sum = reduce_sum(online_sum_at(most));
    total = reduce_sum(total);
    if (gl_LocalInvocationIndex > 0) return;
    const float lse = sum == 0.0 ? NEGATIVE_INFINITY : most + log(sum); // log(0) is not defined
    const float even = lse - total / float(cols), hard = lse - LOAD(x[first + uint(target[row])]);
    float loss = 0.0; // a term of weight 0 may be infinite
    if (label_smoothing < 1.0) loss = (1.0 - label_smoothing) * hard;
    if (label_smoothing > 0.0) loss += label_smoothing * even;
    losses[row] = loss;
}
