// SPDX-License-Identifier: Apache-2.0
// Direct convolution with channels side by side (NHWC, weights OHWI). Each invocation computes one output, with x over
// channels, y along a row, z over rows and pictures. Taps outside the picture are zero, and are skipped.
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

void main() {
    const uint channel = gl_GlobalInvocationID.x, ox = gl_GlobalInvocationID.y;
    const uint image = gl_GlobalInvocationID.z / oh, oy = gl_GlobalInvocationID.z % oh;
    if (channel >= cout || ox >= ow || image >= n) return;
    const uint first = channel / (cout / groups) * cin_group, top = oy * stride - PAD_Y, left = ox * stride - pad;
    float sum = LOAD(bias[channel]);
    for (uint ky = 0; ky < kh; ky++) {
        const uint row = top + ky * dilation;
        if (row >= h) continue;
        for (uint kx = 0; kx < kw; kx++) {
            const uint col = left + kx * dilation;
            if (col >= w) continue;
            const uint at = ((image * h + row) * w + col) * cin + first;
            const uint taps = ((channel * kh + ky) * kw + kx) * cin_group;
            for (uint i = 0; i < cin_group; i++) sum = fma(LOAD(x[at + i]), LOAD(weight[taps + i]), sum);
        }
    }
    y[((image * oh + oy) * ow + ox) * cout + channel] = STORE(sum);
}
