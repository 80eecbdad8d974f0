// SPDX-License-Identifier: Apache-2.0
// Pooling with channels side by side (NHWC): one output per invocation, x over channels, y along a row, z over rows and
// pictures. A mean (MEAN defined) may count the taps in its padding.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"
#include "pool.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };

void main() {
    const uint channel = gl_GlobalInvocationID.x, ox = gl_GlobalInvocationID.y;
    const uint image = gl_GlobalInvocationID.z / oh, oy = gl_GlobalInvocationID.z % oh;
    if (channel >= c || ox >= ow) return;
    const uint top = oy * stride - PAD_Y, left = ox * stride - pad;
    float result = START;
    for (uint ky = 0; ky < kh; ky++) {
        const uint row = top + ky * dilation;
        if (row >= h) continue;
        for (uint kx = 0; kx < kw; kx++) {
            const uint col = left + kx * dilation;
            if (col >= w) continue;
            const float value = LOAD(x[((image * h + row) * w + col) * c + channel]);
            result = TAKE(result, value);
        }
    }
#ifdef MEAN
    result /= divisor(int(top), int(left));
#endif
    y[((image * oh + oy) * ow + ox) * c + channel] = STORE(result);
}
