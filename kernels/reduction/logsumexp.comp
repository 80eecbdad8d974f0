// SPDX-License-Identifier: Apache-2.0
// Logarithm of the sum of exponentials of each row, one workgroup a row, which is read once and kept
// in registers.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, cols; };

float element(uint col) {
    return LOAD(x[linear_group() * cols + col]);
}
#include "row_cache.glsl"

void main() {
    if (linear_group() >= rows) return;
    float most = NEGATIVE_INFINITY, sum = 0.0;
    keep_row(cols, NEGATIVE_INFINITY);
    EACH_ITEM(item) most = larger(most, kept[item]);
    EACH_OTHER(col, cols) most = larger(most, element(col));
    most = reduce_max(most);
    EACH_ITEM(item) sum += exp(kept[item] - most);
    EACH_OTHER(col, cols) sum += exp(element(col) - most);
    sum = reduce_sum(sum);
    if (gl_LocalInvocationIndex > 0) return;
    y[linear_group()] = STORE(isinf(most) ? most : most + log(sum));
}
