// SPDX-License-Identifier: Apache-2.0
// Gradients of pooling, gathered. Each invocation takes one place of the picture in ITEMS channels; they are in the
// same windows. From a window it takes the gradient if it is the first of the largest taps, or (MEAN defined) its
// share.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"
#include "pool.glsl"
#include "windows.glsl"

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

// Adds the part of the place from the window that begins at (top, left) and gave output `from`.
#ifdef MEAN
void take(uint from, uint top, uint left, uint place) {
    const float share = 1.0 / divisor(int(top), int(left));
    [[unroll]] for (uint item = 0; item < ITEMS; item++)
        sums[item] = fma(LOAD(dy[plane[item] * oh * ow + from]), share, sums[item]);
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
                const bool taken = value > best[item] || (value == best[item] && where[item] == ~0u);
                where[item] = taken ? at : where[item]; // takes the first -inf, too
                best[item] = taken ? value : best[item];
            }
        }
    }
    [[unroll]] for (uint item = 0; item < ITEMS; item++)
        if (where[item] == place) sums[item] += LOAD(dy[plane[item] * oh * ow + from]);
}
#endif

// Returns whether a place this far behind a window's beginning is one of its taps.
bool on_grid(uint behind) {
    return dilation == 1 || behind % dilation == 0;
}

void main() {
    const uint place = gl_GlobalInvocationID.x, first = gl_WorkGroupID.z * ITEMS;
    if (place >= h * w) return;
    const uint down = place / w + PAD_Y, right = place % w + pad;
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        plane[item] = gl_WorkGroupID.y * c + min(first + item, c - 1);
        sums[item] = 0.0;
    }
    const uvec2 rows = windows_over(down, kh, oh);
    const uvec2 cols = windows_over(right, kw, ow);
    for (uint oy = rows.x; oy < rows.y; oy++) {
        if (!on_grid(down - oy * stride)) continue;
        for (uint ox = cols.x; ox < cols.y; ox++) {
            if (!on_grid(right - ox * stride)) continue;
            take(oy * ow + ox, oy * stride - PAD_Y, ox * stride - pad, place);
        }
    }
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        if (first + item >= c) return;
        dx[plane[item] * h * w + place] = STORE(sums[item]);
    }
}
