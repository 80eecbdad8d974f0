// SPDX-License-Identifier: Apache-2.0
// Gradients of pooling, gathered: one invocation a place of the picture in ITEMS channels, which the
// same windows hold. From a window it takes the gradient where it is the first of the largest taps, or
// (MEAN defined) its share.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"
#include "pool.glsl"

#ifdef MEAN
layout(binding = 0) readonly buffer Dy { T dy[]; };
layout(binding = 1) writeonly buffer Dx { T dx[]; };
#else
layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer Dy { T dy[]; };
layout(binding = 2) writeonly buffer Dx { T dx[]; };
#endif

uint plane[ITEMS];
float sums[ITEMS];

// Adds what the window that begins at (top, left) and gave output `from` has for the place.
#ifdef MEAN
void take(uint from, uint top, uint left, uint place) {
    const float count = divisor(int(top), int(left));
    [[unroll]] for (uint item = 0; item < ITEMS; item++)
        sums[item] += LOAD(dy[plane[item] * oh * ow + from]) / count;
}
#else
void take(uint from, uint top, uint left, uint place) {
    float best[ITEMS];
    uint where[ITEMS];
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        best[item] = NEGATIVE_INFINITY;
        where[item] = ~0u;
    }
    for (uint ky = 0; ky < kh; ky++) {
        const uint row = top + ky * dilation;
        if (row >= h) continue;
        for (uint kx = 0; kx < kw; kx++) {
            const uint col = left + kx * dilation, at = row * w + col;
            if (col >= w) continue;
            [[unroll]] for (uint item = 0; item < ITEMS; item++) {
                const float value = LOAD(x[plane[item] * h * w + at]);
                where[item] = value > best[item] ? at : where[item];
                best[item] = value > best[item] ? value : best[item];
            }
        }
    }
    [[unroll]] for (uint item = 0; item < ITEMS; item++)
        if (where[item] == place) sums[item] += LOAD(dy[plane[item] * oh * ow + from]);
}
#endif

void main() {
    const uint place = gl_GlobalInvocationID.x, first = gl_WorkGroupID.z * ITEMS;
    if (place >= h * w) return;
    const uint down = place / w + PAD_Y, right = place % w + pad;
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        plane[item] = gl_WorkGroupID.y * c + min(first + item, c - 1);
        sums[item] = 0.0;
    }
    for (uint ky = 0; ky < kh && ky * dilation <= down; ky++) {
        const uint top = down - ky * dilation, oy = top / stride;
        if (top % stride != 0 || oy >= oh) continue;
        for (uint kx = 0; kx < kw && kx * dilation <= right; kx++) {
            const uint left = right - kx * dilation, ox = left / stride;
            if (left % stride != 0 || ox >= ow) continue;
            take(oy * ow + ox, top - PAD_Y, left - pad, place);
        }
    }
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        if (first + item >= c) return;
        dx[plane[item] * h * w + place] = STORE(sums[item]);
    }
}
