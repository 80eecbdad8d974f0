// SPDX-License-Identifier: Apache-2.0
// Root mean square norm that reads a row once: each invocation keeps its first ITEMS columns in
// registers; columns beyond WG_X * ITEMS are read twice.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "reduce.glsl"

layout(constant_id = 3) const uint ITEMS = 16;

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer W { T w[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, cols; float eps; };

void main() {
    const uint row = linear_group(), start = row * cols, lane = gl_LocalInvocationIndex;
    if (row >= rows) return;
    float kept[ITEMS], squares = 0.0;
    [[unroll]] for (uint item = 0, col = lane; item < ITEMS; item++, col += WG_SIZE)
        kept[item] = col < cols ? LOAD(x[start + col]) : 0.0;
    [[unroll]] for (uint item = 0; item < ITEMS; item++) squares += kept[item] * kept[item];
    for (uint col = lane + WG_SIZE * ITEMS; col < cols; col += WG_SIZE) {
        const float value = LOAD(x[start + col]);
        squares += value * value;
    }
    const float scale = inversesqrt(reduce_sum(squares) / float(cols) + eps);

    [[unroll]] for (uint item = 0, col = lane; item < ITEMS; item++, col += WG_SIZE)
        if (col < cols) y[start + col] = STORE(kept[item] * scale * LOAD(w[col]));
    for (uint col = lane + WG_SIZE * ITEMS; col < cols; col += WG_SIZE)
        y[start + col] = STORE(LOAD(x[start + col]) * scale * LOAD(w[col]));
}
