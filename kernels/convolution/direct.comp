// SPDX-License-Identifier: Apache-2.0
// Direct convolution: one output per invocation, x and y over the picture, z over pictures and channels.
// It walks over the channels of its group and the window. Taps outside the picture are zero, and are
// skipped.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"
#include "convolution.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer Weight { T weight[]; };
layout(binding = 2) readonly buffer Bias { T bias[]; };
layout(binding = 3) writeonly buffer Y { T y[]; };

// Adds one input channel under one plane of weights.
float window(uint plane, uint weights, uint top, uint left, float sum) {
    for (uint ky = 0; ky < kh; ky++) {
        const uint row = top + ky * dilation;
        if (row >= h) continue;
        for (uint kx = 0; kx < kw; kx++) {
            const uint col = left + kx * dilation;
            if (col >= w) continue;
            const float tap = LOAD(weight[(weights * kh + ky) * kw + kx]);
            sum = fma(LOAD(x[(plane * h + row) * w + col]), tap, sum);
        }
    }
    return sum;
}

void main() {
    const uint ox = gl_GlobalInvocationID.x, oy = gl_GlobalInvocationID.y;
    const uint plane = gl_GlobalInvocationID.z;
    if (ox >= ow || oy >= oh || plane >= n * cout) return;
    const uint image = plane / cout, channel = plane % cout, group = channel / (cout / groups);
    const uint top = oy * stride - PAD_Y, left = ox * stride - pad;
    float sum = LOAD(bias[channel]);
    for (uint i = 0; i < cin_group; i++)
        sum = window(image * cin + group * cin_group + i, channel * cin_group + i, top, left, sum);
    y[(plane * oh + oy) * ow + ox] = STORE(sum);
}
