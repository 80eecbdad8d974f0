// SPDX-License-Identifier: Apache-2.0
// Transposed convolution as a product of matrices that are never stored. It has output channels of a group
// by places of all outputs, over input channels and taps. A tap is zero if its input is off the stride's
// grid or outside the picture. The remainders of a place and of a tap by the stride, taken once each, decide
// this.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "register_block.glsl"
#include "digits.glsl"
#include "transposed.glsl"

const uint OUTSIDE = 0x80000000u; // places a window less are outside too

uint terms, cin_group, group, first_row, first_col;
uint plane[4], down[4], right[4], phase[4]; // for each place: the input's planes, quotients, remainders
// Channel, row and column of the window: for all of a tile's loads of a, and for the next load of b.
uvec3 tap_a, step_a, tap_b, step_b;

uint phase_of(uint row, uint col) {
    return row % STRIDE_Y * stride + col % stride;
}

void start() {
    const uint places = n * oh * ow;
    cin_group = cin / groups;
    terms = cin_group * kh * kw;
    group = gl_WorkGroupID.z;
    first_row = gl_WorkGroupID.y * QUADS_M * 4;
    first_col = gl_WorkGroupID.x * QUADS_N * 4;
    [[unroll]] for (uint e = 0; e < 4; e++) {
        const uint index = first_col + e * QUADS_N + quad_of_b(0);
        const uvec3 at = digits_of(index, oh, ow);
        plane[e] = at.x * cin + group * cin_group;
        down[e] = index < places ? (at.y + PAD_Y) / STRIDE_Y : OUTSIDE;
        right[e] = (at.z + pad) / stride;
        phase[e] = phase_of(at.y + PAD_Y, at.z + pad);
    }
    tap_a = digits_of(k_of_a(), kh, kw);
    step_a = digits_of(TILE_K, kh, kw);
    tap_b = digits_of(k_of_b(0), kh, kw);
    step_b = digits_of(WG_SIZE / QUADS_N, kh, kw);
}

vec4 fetch_a(uint load, uint quad, uint at) {
    const uvec3 here = tap_a;
    if (load + 1 == LOADS_A) tap_a = count_on(here, step_a, kh, kw);
    vec4 value = vec4(0.0);
    if (at >= terms) return value;
    [[unroll]] for (uint e = 0; e < 4; e++) {
        const uint row = min(first_row + e * QUADS_M + quad, cout_group - 1);
        const uint window = (group * cin_group + here.x) * cout_group + row;
        value[e] = LOAD(weight[(window * kh + here.y) * kw + here.z]);
    }
    return value;
}

vec4 fetch_b(uint load, uint quad, uint at) {
    const uvec3 here = tap_b;
    tap_b = count_on(here, step_b, kh, kw);
    vec4 value = vec4(0.0);
    if (at >= terms) return value;
    const uint up = here.y * dilation, left = here.z * dilation;
    const uint here_phase = phase_of(up, left), rows = up / STRIDE_Y, cols = left / stride;
    [[unroll]] for (uint e = 0; e < 4; e++) {
        const uint row = down[e] - rows, col = right[e] - cols; // before the first wraps beyond the last
        if (phase[e] == here_phase && row < h && col < w)
            value[e] = LOAD(x[((plane[e] + here.x) * h + row) * w + col]);
    }
    return value;
}

void main() {
    start();
    multiply_block(terms);
    [[unroll]] for (uint s = 0; s < TN / 4; s++)
        [[unroll]] for (uint e = 0; e < 4; e++) {
            const uint index = first_col + col_of_sum(s, e), picture = oh * ow;
            const uint first = index / picture * cout + group * cout_group;
            [[unroll]] for (uint r = 0; r < TM; r++) {
                const uint row = first_row + row_of_sum(r);
                if (index < n * picture && row < cout_group)
                    y[(first + row) * picture + index % picture] =
                        STORE(sums[r][s][e] + BIAS(group * cout_group + row));
            }
        }
}
