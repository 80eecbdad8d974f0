// SPDX-License-Identifier: Apache-2.0
// Transposed convolution as a product of matrices that are never stored: output channels of a group by outputs, over
// input channels and taps. A workgroup takes outputs of one phase, the remainder of their place by the stride. They
// have the same taps, and no others take part. A tap outside the picture is zero.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "register_block.glsl"
#include "digits.glsl"
#include "transposed.glsl"

const uint OUTSIDE = 0x80000000u; // places a window less are outside too

uint terms, cin_group, group, first_row, first_col;
uvec2 phase, size;                // of outputs (x, y): the first, and their number
uvec2 first_tap, tap_step, taps;  // of the phase (x, y): the first, the distance of the next, their number
uint plane[4], down[4], right[4]; // for each output: the input's planes, and the place of a tap at 0
// Channel, row and column among the taps: for all of a tile's loads of a, and for the next load of b.
uvec3 tap_a, step_a, tap_b, step_b;

// Finds the taps of a phase along one axis of `length` taps: those with an input on the stride's grid.
uvec3 taps_of(uint remainder, uint length, uint along) {
    uint first = 0, step = 1;
    while (first < length && first * dilation % along != remainder) first++;
    while (step * dilation % along != 0) step++;
    return uvec3(first, step, first < length ? (length - 1 - first) / step + 1 : 0);
}

uint number_from(uint first, uint length, uint along) {
    return first < length ? (length - 1 - first) / along + 1 : 0;
}

void find_phase() {
    phase = uvec2(gl_WorkGroupID.z % stride, gl_WorkGroupID.z / stride % STRIDE_Y);
    size = uvec2(number_from(phase.x, ow, stride), number_from(phase.y, oh, STRIDE_Y));
    const uvec3 across = taps_of((phase.x + pad) % stride, kw, stride);
    const uvec3 along = taps_of((phase.y + PAD_Y) % STRIDE_Y, kh, STRIDE_Y);
    first_tap = uvec2(across.x, along.x);
    tap_step = uvec2(across.y, along.y);
    taps = uvec2(across.z, along.z);
}

// Returns the tap's row and column in the window (y, x).
uvec2 tap_at(uvec3 digits) {
    return first_tap.yx + digits.yz * tap_step.yx;
}

void start() {
    find_phase();
    cin_group = cin / groups;
    terms = cin_group * taps.x * taps.y;
    taps = max(taps, uvec2(1)); // without any there are no terms, but still digits
    group = gl_WorkGroupID.z / (stride * STRIDE_Y);
    first_row = gl_WorkGroupID.y * QUADS_M * 4;
    first_col = gl_WorkGroupID.x * QUADS_N * 4;
    [[unroll]] for (uint e = 0; e < 4; e++) {
        const uvec3 at = digits_of(first_col + e * QUADS_N + quad_of_b(0), size.y, size.x);
        plane[e] = at.x * cin + group * cin_group;
        down[e] = at.x < n ? at.y + (phase.y + PAD_Y) / STRIDE_Y : OUTSIDE;
        right[e] = at.z + (phase.x + pad) / stride;
    }
    tap_a = digits_of(k_of_a(), taps.y, taps.x);
    step_a = digits_of(TILE_K, taps.y, taps.x);
    tap_b = digits_of(k_of_b(0), taps.y, taps.x);
    step_b = digits_of(WG_SIZE / QUADS_N, taps.y, taps.x);
}

vec4 fetch_a(uint load, uint quad, uint at) {
    const uvec3 here = tap_a;
    if (load + 1 == LOADS_A) tap_a = count_on(here, step_a, taps.y, taps.x);
    vec4 value = vec4(0.0);
    if (at >= terms) return value;
    const uvec2 tap = tap_at(here);
    [[unroll]] for (uint e = 0; e < 4; e++) {
        const uint row = min(first_row + e * QUADS_M + quad, cout_group - 1);
        const uint window = (group * cin_group + here.x) * cout_group + row;
        value[e] = LOAD(weight[(window * kh + tap.x) * kw + tap.y]);
    }
    return value;
}

vec4 fetch_b(uint load, uint quad, uint at) {
    const uvec3 here = tap_b;
    tap_b = count_on(here, step_b, taps.y, taps.x);
    vec4 value = vec4(0.0);
    if (at >= terms) return value;
    const uvec2 moved = tap_at(here) * dilation / uvec2(STRIDE_Y, stride);
    [[unroll]] for (uint e = 0; e < 4; e++) {
        const uint row = down[e] - moved.x, col = right[e] - moved.y; // before the first wraps beyond the last
        if (row < h && col < w)
            value[e] = LOAD(x[((plane[e] + here.x) * h + row) * w + col]);
    }
    return value;
}

void main() {
    start();
    if (first_col >= n * size.x * size.y) return; // all of the workgroup
    multiply_block(max(terms, 1u));
    [[unroll]] for (uint s = 0; s < TN / 4; s++)
        [[unroll]] for (uint e = 0; e < 4; e++) {
            const uvec3 at = digits_of(first_col + col_of_sum(s, e), size.y, size.x);
            const uint first = at.x * cout + group * cout_group;
            const uint place = (at.y * STRIDE_Y + phase.y) * ow + at.z * stride + phase.x;
            [[unroll]] for (uint r = 0; r < TM; r++) {
                const uint row = first_row + row_of_sum(r);
                if (at.x < n && row < cout_group)
                    y[(first + row) * oh * ow + place] = STORE(sums[r][s][e] + BIAS(group * cout_group + row));
            }
        }
}
