// SPDX-License-Identifier: Apache-2.0
// Online softmax, one workgroup a row: maximum and sum in one walk, the sum rescaled whenever the
// maximum rises; a second walk writes.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "reduce.glsl"

// The least finite number instead of -inf, so that an invocation that has met nothing but -inf (or
// nothing) has a sum of 0, not NaN.
#define LEAST uintBitsToFloat(0xff7fffffu)

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, cols; };

void main() {
    const uint row = linear_group(), start = row * cols;
    if (row >= rows) return;
    float most = LEAST, sum = 0.0;
    for (uint col = gl_LocalInvocationIndex; col < cols; col += WG_SIZE) {
        const float value = LOAD(x[start + col]);
        if (value > most) {
            sum *= exp(most - value);
            most = value;
        }
        sum += exp(value - most);
    }
    const float row_most = reduce_max(most);
    const float scale = 1.0 / reduce_sum(sum * exp(most - row_most));
    for (uint col = gl_LocalInvocationIndex; col < cols; col += WG_SIZE)
        y[start + col] = STORE(exp(LOAD(x[start + col]) - row_most) * scale);
}
