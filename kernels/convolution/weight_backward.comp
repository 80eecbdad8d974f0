// SPDX-License-Identifier: Apache-2.0
// Gradient of a convolution's weights as a product of matrices that are never made: output channels
// of a group by taps of its input channels, over the pixels of all pictures. There are few weights
// and many pixels, so that SPLIT parts of the pixels, on z with the groups, are summed apart.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "register_block.glsl"
#include "digits.glsl"
#include "convolution.glsl"

layout(constant_id = 6) const uint SPLIT = 16;

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer Dy { T dy[]; };
layout(binding = 2) writeonly buffer Parts { float parts[]; };

const uint OUTSIDE = 0x80000000u; // and so are the places a picture further

uint group, channels, terms, begin, end, first_row, first_col;
uint origin[4], down[4], right[4]; // by tap: its offset, as an index and as a place
uvec3 pixel_a[LOADS_A], pixel_b[LOADS_B], pixel_step; // picture, row and column of the output

void start() {
    const uint pixels = n * oh * ow, share = (pixels - 1) / SPLIT + 1;
    group = gl_WorkGroupID.z / SPLIT;
    begin = min(gl_WorkGroupID.z % SPLIT * share, pixels);
    end = min(begin + share, pixels);
    channels = cout / groups;
    terms = cin_group * kh * kw;
    first_row = gl_WorkGroupID.y * QUADS_M * 4;
    first_col = gl_WorkGroupID.x * QUADS_N * 4;
    [[unroll]] for (uint e = 0; e < 4; e++) {
        const uint col = first_col + e * QUADS_N + quad_of_b();
        const uvec3 tap = digits_of(col, kh, kw);
        down[e] = col < terms ? tap.y * dilation - PAD_Y : OUTSIDE;
        right[e] = tap.z * dilation - pad;
        origin[e] = ((group * cin_group + tap.x) * h + down[e]) * w + right[e];
    }
    [[unroll]] for (uint load = 0; load < LOADS_A; load++)
        pixel_a[load] = digits_of(begin + slot_of(load) % TILE_K, oh, ow);
    [[unroll]] for (uint load = 0; load < LOADS_B; load++)
        pixel_b[load] = digits_of(begin + k_of_b(load), oh, ow);
    pixel_step = digits_of(TILE_K, oh, ow);
}

vec4 fetch_a(uint load, uint quad, uint at) {
    const uvec3 here = pixel_a[load];
    pixel_a[load] = count_on(here, pixel_step, oh, ow);
    vec4 value = vec4(0.0);
    if (begin + at >= end) return value;
    [[unroll]] for (uint e = 0; e < 4; e++) {
        const uint row = min(first_row + e * QUADS_M + quad, channels - 1);
        const uint plane = here.x * cout + group * channels + row;
        value[e] = LOAD(dy[(plane * oh + here.y) * ow + here.z]);
    }
    return value;
}

vec4 fetch_b(uint load, uint quad, uint at) {
    const uvec3 here = pixel_b[load];
    pixel_b[load] = count_on(here, pixel_step, oh, ow);
    vec4 value = vec4(0.0);
    if (begin + at >= end) return value;
    const uint row = here.y * stride, col = here.z * stride;
    const uint offset = (here.x * cin * h + row) * w + col;
    [[unroll]] for (uint e = 0; e < 4; e++)
        if (down[e] + row < h && right[e] + col < w) value[e] = LOAD(x[origin[e] + offset]);
    return value;
}

void main() {
    start();
    multiply_block(max(end - begin, 1));
    const uint part = gl_WorkGroupID.z % SPLIT * cout;
    [[unroll]] for (uint r = 0; r < TM; r++) {
        const uint row = first_row + row_of_sum(r);
        if (row >= channels) continue;
        const uint window = (part + group * channels + row) * terms;
        [[unroll]] for (uint s = 0; s < TN / 4; s++)
            [[unroll]] for (uint e = 0; e < 4; e++) {
                const uint col = first_col + col_of_sum(s, e);
                if (col < terms) parts[window + col] = sums[r][s][e];
            }
    }
}
