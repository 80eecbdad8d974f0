// SPDX-License-Identifier: Apache-2.0
// Layer norm that reads a row once: each invocation keeps its first ITEMS columns in registers;
// columns beyond WG_X * ITEMS are read at each of the three walks.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "reduce.glsl"

layout(constant_id = 3) const uint ITEMS = 16;

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer Gamma { T gamma[]; };
layout(binding = 2) readonly buffer Beta { T beta[]; };
layout(binding = 3) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, cols; float eps; };

float normalised(float centred, float scale, uint col) {
    return centred * scale * LOAD(gamma[col]) + LOAD(beta[col]);
}

void main() {
    const uint row = linear_group(), start = row * cols, lane = gl_LocalInvocationIndex;
    if (row >= rows) return;
    float kept[ITEMS], sum = 0.0, squares = 0.0;
    [[unroll]] for (uint item = 0, col = lane; item < ITEMS; item++, col += WG_SIZE)
        kept[item] = col < cols ? LOAD(x[start + col]) : 0.0;
    [[unroll]] for (uint item = 0; item < ITEMS; item++) sum += kept[item];
    for (uint col = lane + WG_SIZE * ITEMS; col < cols; col += WG_SIZE) sum += LOAD(x[start + col]);
    const float mean = reduce_sum(sum) / float(cols);

    [[unroll]] for (uint item = 0, col = lane; item < ITEMS; item++, col += WG_SIZE) {
        kept[item] -= mean;
        if (col < cols) squares += kept[item] * kept[item];
    }
    for (uint col = lane + WG_SIZE * ITEMS; col < cols; col += WG_SIZE) {
        const float centred = LOAD(x[start + col]) - mean;
        squares += centred * centred;
    }
    const float scale = inversesqrt(reduce_sum(squares) / float(cols) + eps);

    [[unroll]] for (uint item = 0, col = lane; item < ITEMS; item++, col += WG_SIZE)
        if (col < cols) y[start + col] = STORE(normalised(kept[item], scale, col));
    for (uint col = lane + WG_SIZE * ITEMS; col < cols; col += WG_SIZE)
        y[start + col] = STORE(normalised(LOAD(x[start + col]) - mean, scale, col));
}
