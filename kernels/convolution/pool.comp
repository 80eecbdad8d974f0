// SPDX-License-Identifier: Apache-2.0
// Pooling over two axes, or over one (LINE defined). Each invocation takes one place in ITEMS channels of a picture,
// which have the same windows. Taps outside the picture are skipped; a mean (MEAN defined) may count the taps in its
// padding.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"
#include "pool.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };

void main() {
    const uint place = gl_GlobalInvocationID.x;
    if (place >= oh * ow) return;
    const uint top = place / ow * stride - PAD_Y, left = place % ow * stride - pad;
    uint plane[ITEMS];
    float result[ITEMS];
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        const uint channel = min(gl_WorkGroupID.z * ITEMS + item, c - 1);
        plane[item] = gl_WorkGroupID.y * c + channel;
        result[item] = START;
    }
    for (uint ky = 0; ky < kh; ky++) {
        const uint row = top + ky * dilation;
        if (row >= h) continue;
        for (uint kx = 0; kx < kw; kx++) {
            const uint col = left + kx * dilation;
            if (col >= w) continue;
            [[unroll]] for (uint item = 0; item < ITEMS; item++) {
                const float value = LOAD(x[(plane[item] * h + row) * w + col]);
                result[item] = TAKE(result[item], value);
            }
        }
    }
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        if (gl_WorkGroupID.z * ITEMS + item >= c) return;
#ifdef MEAN
        result[item] /= divisor(int(top), int(left));
#endif
        y[plane[item] * oh * ow + place] = STORE(result[item]);
    }
}
