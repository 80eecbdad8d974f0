// SPDX-License-Identifier: Apache-2.0
// Variance of each row, one workgroup a row, in two passes over registers: the mean, then the
// deviations from it.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, cols; int correction; };

float element(uint col) {
    return LOAD(x[linear_group() * cols + col]);
}
#include "row_cache.glsl"

void main() {
    if (linear_group() >= rows) return;
    float sum = 0.0, deviations = 0.0;
    keep_row(cols, 0.0);
    EACH_KEPT(item, col) sum += kept[item];
    EACH_OTHER(col, cols) sum += element(col);
    const float mean = reduce_sum(sum) / float(cols);
    EACH_KEPT(item, col) if (col < cols) deviations += (kept[item] - mean) * (kept[item] - mean);
    EACH_OTHER(col, cols) deviations += (element(col) - mean) * (element(col) - mean);
    deviations = reduce_sum(deviations);
    if (gl_LocalInvocationIndex == 0)
        y[linear_group()] = STORE(deviations / float(int(cols) - correction));
}
