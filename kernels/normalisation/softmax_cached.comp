// SPDX-License-Identifier: Apache-2.0
// Softmax that reads a row once, one workgroup a row: each invocation keeps its first ITEMS columns
// in registers, and their exponentials after that. Columns beyond WG_X * ITEMS are read at each of
// the three walks.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "reduce.glsl"

layout(constant_id = 3) const uint ITEMS = 16;

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, cols; };

void main() {
    const uint row = linear_group(), start = row * cols, lane = gl_LocalInvocationIndex;
    if (row >= rows) return;
    float kept[ITEMS], most = NEGATIVE_INFINITY, sum = 0.0;
    for (uint item = 0, col = lane; item < ITEMS; item++, col += WG_SIZE)
        kept[item] = col < cols ? LOAD(x[start + col]) : NEGATIVE_INFINITY;
    for (uint item = 0; item < ITEMS; item++) most = larger(most, kept[item]);
    for (uint col = lane + WG_SIZE * ITEMS; col < cols; col += WG_SIZE)
        most = larger(most, LOAD(x[start + col]));
    most = reduce_max(most);

    for (uint item = 0; item < ITEMS; item++) sum += kept[item] = exp(kept[item] - most);
    for (uint col = lane + WG_SIZE * ITEMS; col < cols; col += WG_SIZE)
        sum += exp(LOAD(x[start + col]) - most);
    const float scale = 1.0 / reduce_sum(sum);

    for (uint item = 0, col = lane; item < ITEMS; item++, col += WG_SIZE)
        if (col < cols) y[start + col] = STORE(kept[item] * scale);
    for (uint col = lane + WG_SIZE * ITEMS; col < cols; col += WG_SIZE)
        y[start + col] = STORE(exp(LOAD(x[start + col]) - most) * scale);
}
