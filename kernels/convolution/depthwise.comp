// SPDX-License-Identifier: Apache-2.0
// Convolution of groups of one input channel each. Nothing is summed over channels, so its cost is memory. Each
// invocation computes ITEMS outputs in rows of pictures that are WG_Y apart; they share each weight. The rows of all
// pictures run through on y, channels are on z. Taps outside are read at the picture's edge and not added: loads
// without a condition are under way all at once.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"
#include "convolution.glsl"

layout(constant_id = 3) const uint ITEMS = 4;

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer Weight { T weight[]; };
layout(binding = 2) readonly buffer Bias { T bias[]; };
layout(binding = 3) writeonly buffer Y { T y[]; };

void main() {
    const uint ox = gl_GlobalInvocationID.x, channel = gl_WorkGroupID.z;
    const uint left = ox * stride - pad, first = gl_WorkGroupID.y * WG_Y * ITEMS;
    if (ox >= ow) return;
    uint top[ITEMS], plane[ITEMS];
    float sums[ITEMS];
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        const uint row = first + item * WG_Y + gl_LocalInvocationID.y;
        top[item] = row < n * oh ? row % oh * stride - PAD_Y : 0x80000000u; // outside for every tap
        plane[item] = (min(row / oh, n - 1) * cin + channel / (cout / groups)) * h;
        sums[item] = LOAD(bias[channel]);
    }
    for (uint ky = 0; ky < kh; ky++) {
        const uint down = ky * dilation;
        for (uint kx = 0; kx < kw; kx++) {
            const uint col = left + kx * dilation;
            const float tap = LOAD(weight[(channel * kh + ky) * kw + kx]);
            float value[ITEMS];
            [[unroll]] for (uint item = 0; item < ITEMS; item++) {
                const uint row = min(top[item] + down, h - 1);
                value[item] = LOAD(x[(plane[item] + row) * w + min(col, w - 1)]);
            }
            [[unroll]] for (uint item = 0; item < ITEMS; item++)
                if (col < w && top[item] + down < h) sums[item] = fma(value[item], tap, sums[item]);
        }
    }
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        const uint row = first + item * WG_Y + gl_LocalInvocationID.y;
        if (row >= n * oh) return;
        y[((row / oh * cout + channel) * oh + row % oh) * ow + ox] = STORE(sums[item]);
    }
}
