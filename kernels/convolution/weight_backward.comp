// SPDX-License-Identifier: Apache-2.0
// Gradient of a convolution's weights as a product of matrices that are never stored. It has output channels of
// a group by taps of its input channels, over the pixels of all pictures. There are few weights and many
// pixels. So SPLIT parts of the pixels, each of whole tiles, are on z with the groups, and are summed
// separately.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#define B_ALONG_K
#include "register_block.glsl"
#include "digits.glsl"
#include "convolution.glsl"

layout(constant_id = 6) const uint SPLIT = 16;

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer Dy { T dy[]; };
layout(binding = 2) writeonly buffer Parts { float parts[]; };

const uint OUTSIDE = 0x80000000u; // places a picture further are outside too

uint group, channels, terms, begin, end, first_row, first_col;
uint row_start[LOADS_A * 4]; // for each element of a load: the start of its plane of gradients
// For each element of a load: its tap's offset, as an index and as a place.
uint origin[LOADS_B * 4], down[LOADS_B * 4], right[LOADS_B * 4];
uvec3 pixel, pixel_step; // of all of a tile's loads: picture, row and column of the output

void start() {
    const uint pixels = n * oh * ow, tiles = (pixels - 1) / TILE_K + 1;
    const uint part = gl_WorkGroupID.z % SPLIT, more = min(part, tiles % SPLIT); // the first parts have one tile more
    group = gl_WorkGroupID.z / SPLIT;
    begin = min((part * (tiles / SPLIT) + more) * TILE_K, pixels);
    end = min(begin + (tiles / SPLIT + (part < tiles % SPLIT ? 1 : 0)) * TILE_K, pixels);
    channels = cout / groups;
    terms = cin_group * kh * kw;
    first_row = gl_WorkGroupID.y * QUADS_M * 4;
    first_col = gl_WorkGroupID.x * QUADS_N * 4;
    pixel = digits_of(begin + k_of_a(), oh, ow);
    pixel_step = digits_of(TILE_K, oh, ow);
}

void start_factors() {
    [[unroll]] for (uint i = 0; i < LOADS_A * 4; i++) {
        const uint row = first_row + i % 4 * QUADS_M + quad_of_a(i / 4);
        row_start[i] = (group * channels + min(row, channels - 1)) * (oh * ow);
    }
    [[unroll]] for (uint i = 0; i < LOADS_B * 4; i++) {
        const uint col = first_col + i % 4 * QUADS_N + quad_of_b(i / 4);
        const uvec3 tap = digits_of(col, kh, kw);
        down[i] = col < terms ? tap.y * dilation - PAD_Y : OUTSIDE;
        right[i] = tap.z * dilation - pad;
        origin[i] = ((group * cin_group + tap.x) * h + down[i]) * w + right[i];
    }
}

vec4 fetch_a(uint load, uint quad, uint at) {
    vec4 value = vec4(0.0);
    if (begin + at >= end) return value;
    const uint offset = (pixel.x * cout * oh + pixel.y) * ow + pixel.z;
    [[unroll]] for (uint e = 0; e < 4; e++) value[e] = LOAD(dy[row_start[load * 4 + e] + offset]);
    return value;
}

vec4 fetch_b(uint load, uint quad, uint at) {
    const uvec3 here = pixel;
    if (load + 1 == LOADS_B) pixel = count_on(here, pixel_step, oh, ow); // all loads of a come before
    vec4 value = vec4(0.0);
    if (begin + at >= end) return value;
    const uint row = here.y * stride, col = here.z * stride;
    const uint offset = (here.x * cin * h + row) * w + col;
    [[unroll]] for (uint e = 0; e < 4; e++) {
        const uint i = load * 4 + e;
        if (down[i] + row < h && right[i] + col < w) value[e] = LOAD(x[origin[i] + offset]);
    }
    return value;
}

void main() {
    start();
    start_factors();
    multiply_block(max(end - begin, 1));
    if (!join_slices()) return;
    const uint part = gl_WorkGroupID.z % SPLIT * cout;
    [[unroll]] for (uint r = 0; r < TM; r++) {
        const uint row = first_row + row_of_sum(r);
        const uint window = (part + group * channels + row) * terms;
        [[unroll]] for (uint s = 0; s < TN / 4; s++)
            [[unroll]] for (uint e = 0; e < 4; e++) {
                const uint col = first_col + col_of_sum(s, e);
                if (row < channels && col < terms) parts[window + col] = sums[r][s][e];
            }
    }
}
