// SPDX-License-Identifier: Apache-2.0
// Convolution as a product of matrices that are never stored: output channels of a group by pixels of all pictures,
// over input channels and taps. Each invocation always fetches for the same four pixels. The tap moves on from load to
// load; outside the picture it is zero.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "register_block.glsl"
#include "digits.glsl"
#include "convolution.glsl"
#include "weights.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 2) readonly buffer Bias { T bias[]; };
layout(binding = 3) writeonly buffer Y { T y[]; };

const uint OUTSIDE = 0x80000000u; // places a window further are outside too

uint first_col;
uint origin[4], top[4], left[4]; // for each pixel: the window's corner, as an index and as a place
uvec3 tap, tap_step;             // of the next load: channel, row and column of the window

void start() {
    const uint pixels = n * oh * ow;
    start_weights(gl_WorkGroupID.z, cout / groups, cin_group * kh * kw);
    first_col = gl_WorkGroupID.x * QUADS_N * 4;
    [[unroll]] for (uint e = 0; e < 4; e++) {
        const uint pixel = first_col + e * QUADS_N + quad_of_b(0);
        const uvec3 place = digits_of(pixel, oh, ow);
        top[e] = pixel < pixels ? place.y * stride - PAD_Y : OUTSIDE;
        left[e] = place.z * stride - pad;
        origin[e] = ((place.x * cin + group * cin_group) * h + top[e]) * w + left[e];
    }
    tap = digits_of(k_of_b(0), kh, kw);
    tap_step = digits_of(WG_SIZE / QUADS_N, kh, kw);
}

vec4 fetch_b(uint load, uint quad, uint at) {
    const uvec3 here = tap;
    tap = count_on(here, tap_step, kh, kw);
    vec4 value = vec4(0.0);
    if (at >= terms) return value;
    const uint down = here.y * dilation, right = here.z * dilation;
    const uint offset = (here.x * h + down) * w + right;
    [[unroll]] for (uint e = 0; e < 4; e++)
        if (top[e] + down < h && left[e] + right < w) value[e] = LOAD(x[origin[e] + offset]);
    return value;
}

void main() {
    start();
    multiply_block(terms);
    if (!join_slices()) return;
    [[unroll]] for (uint s = 0; s < TN / 4; s++)
        [[unroll]] for (uint e = 0; e < 4; e++) {
            const uint pixel = first_col + col_of_sum(s, e), picture = oh * ow;
            const uint plane = pixel / picture * cout + group * channels;
            [[unroll]] for (uint r = 0; r < TM; r++) {
                const uint row = first_row + row_of_sum(r);
                if (pixel < n * picture && row < channels)
                    y[(plane + row) * picture + pixel % picture] =
                        STORE(sums[r][s][e] + LOAD(bias[group * channels + row]));
            }
        }
}
