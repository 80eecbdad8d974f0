// SPDX-License-Identifier: Apache-2.0
// Mean and squared deviations of each plane of a batch of images, one workgroup a plane, which is
// read once and kept in registers.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Means { float plane_means[]; };
layout(binding = 2) writeonly buffer Squares { float plane_squares[]; };
layout(push_constant) uniform Push { uint n, c, plane; };

float element(uint i) {
    return LOAD(x[linear_group() * plane + i]);
}
#include "row_cache.glsl"

void main() {
    if (linear_group() >= n * c) return;
    float sum = 0.0, squares = 0.0;
    keep_row(plane, 0.0);
    EACH_ITEM(item) sum += kept[item];
    EACH_OTHER(i, plane) sum += element(i);
    const float mean = reduce_sum(sum) / float(plane);
    EACH_KEPT(item, i) if (i < plane) squares += (kept[item] - mean) * (kept[item] - mean);
    EACH_OTHER(i, plane) squares += (element(i) - mean) * (element(i) - mean);
    squares = reduce_sum(squares);
    if (gl_LocalInvocationIndex > 0) return;
    plane_means[linear_group()] = mean;
    plane_squares[linear_group()] = squares;
}
