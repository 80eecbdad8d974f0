// SPDX-License-Identifier: Apache-2.0
// Convolution, or transposed convolution (TRANSPOSED), as a product of cooperative matrices that are never stored:
// pixels by output channels, over taps and TILE_K input channels at a time. A workgroup computes PIXELS pixels of
// BLOCK_N channels.
//
// An earlier pass has put the channels of a pixel side by side, and the weights tap after tap, both in whole vectors of
// eight. A tile's lines are then whole vectors, and a tap moves every line by the same distance. Lines outside the
// picture are zero. The next tile is loaded to registers while one is multiplied. Its zeros are put in when it is
// placed, and no load depends on a condition.
//
// A transposed convolution takes outputs of one phase, the remainder of their place by the stride. They have the same
// taps.
//
// With SPLIT defined, workgroups along z divide the input channels. Each stores its sums as f32, for join_parts.comp.
// The first ones add the bias.
//
// No rounding mode is declared, because the units that multiply matrices round as they like. All sizes are
// specialization constants, so that one module serves all shapes.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#define FREE_ROUNDING
#define ALL_CONTROLS
#include "../matrix/cooperative.glsl"
#include "types.glsl"
#include "workgroup.glsl"
#include "../matrix/subgroup_wait.glsl"

layout(constant_id = 3) const uint SUBGROUP = 32;
layout(constant_id = 4) const uint PIXELS = 64;
layout(constant_id = 5) const uint BLOCK_N = 64;
layout(constant_id = 6) const uint TILE_K = 32;
layout(constant_id = 7) const uint SUBGROUPS_M = 2;
layout(constant_id = 8) const uint SUBGROUPS_N = 2;
layout(constant_id = 9) const uint COOP_M = 16;
layout(constant_id = 10) const uint COOP_N = 16;
layout(constant_id = 11) const uint COOP_K = 16;
layout(constant_id = 12) const uint BUFFERS = 1;

layout(push_constant) uniform Push {
    uint n, cin, h, w, cout, kh, kw, stride, pad_y, pad_x, dilation, oh, ow;
};
layout(binding = 0) readonly buffer X { uvec4 x[]; };
layout(binding = 1) readonly buffer Weights { uvec4 weights[]; };
layout(binding = 2) readonly buffer Bias { T bias[]; };
#ifdef SPLIT
layout(binding = 3) writeonly buffer Y { float y[]; };
#define PART gl_WorkGroupID.z
#define PARTS gl_NumWorkGroups.z
#define LEAVE(sum) (sum)
#else
layout(binding = 3) writeonly buffer Y { T y[]; };
#define PART 0
#define PARTS 1
#define LEAVE(sum) STORE(sum)
#endif

const uint ACROSS_M = PIXELS / (SUBGROUPS_M * COOP_M), ACROSS_N = BLOCK_N / (SUBGROUPS_N * COOP_N);
// Counted in vectors: a line of each tile, its pitch, the loads of an invocation.
const uint LINE_A = TILE_K / 8, LINE_B = BLOCK_N / 8, PITCH_A = LINE_A + 1, PITCH_B = LINE_B + 1;
const uint LOADS_A = LINE_A * PIXELS / WG_SIZE, LOADS_B = LINE_B * TILE_K / WG_SIZE;
const uint NOWHERE = ~0u;

shared uvec4 tile_a[BUFFERS * PIXELS * PITCH_A];
shared uvec4 tile_b[BUFFERS * TILE_K * PITCH_B];
shared float leaving[SUBGROUPS_M * SUBGROUPS_N * COOP_M * COOP_N];
shared uint goals[PIXELS]; // place of each pixel in y's first channel, or NOWHERE

uint vectors, vectors_out;                          // of a pixel, of a tap's line of weights
uint begin_c, end_c;                                // this workgroup's channels
uint top[LOADS_A], left[LOADS_A], origin[LOADS_A];  // of each load's pixel: the place of the first tap, its vector
uint tap_y, tap_x, first_c;                         // of the tile to load next
uvec4 next_a[LOADS_A], next_b[LOADS_B];
uint inside_a, inside_b; // a bit for each of these: not zero

#ifdef TRANSPOSED
// The phase's outputs, and the distance of the first of them from the grid of inputs.
#define PHASE uvec2(gl_WorkGroupID.z % stride, gl_WorkGroupID.z / stride)
uvec2 pixels_of_phase() {
    return (uvec2(ow, oh) - PHASE + stride - 1) / stride;
}
bool has_tap(uint tap, uint phase, uint pad) {
    return (phase + pad) % stride == tap * dilation % stride;
}
#define ON_Y(tap) has_tap(tap, PHASE.y, pad_y)
#define ON_X(tap) has_tap(tap, PHASE.x, pad_x)
#define FIRST_IN(place, phase, pad) ((place) + (phase + pad) / stride)
#define MOVED(place, tap) ((place) - (tap) * dilation / stride)
#define OUT(place, phase) ((place) * stride + phase)
#else
#define PHASE uvec2(0)
uvec2 pixels_of_phase() {
    return uvec2(ow, oh);
}
#define ON_Y(tap) true
#define ON_X(tap) true
#define FIRST_IN(place, phase, pad) ((place) * stride - pad)
#define MOVED(place, tap) ((place) + (tap) * dilation)
#define OUT(place, phase) (place)
#endif

// Finds the first tap of the phase from (tap_y, tap_x) on. Without any, tap_y is kh.
void find_tap() {
    for (; tap_y < kh; tap_y++, tap_x = 0)
        if (ON_Y(tap_y))
            for (; tap_x < kw; tap_x++)
                if (ON_X(tap_x)) return;
}

void count_on() {
    first_c += TILE_K;
    if (first_c < end_c) return;
    first_c = begin_c;
    tap_x++;
    find_tap();
}

void find_pixels(uint first_pixel) {
    const uvec2 size = pixels_of_phase();
    const uint picture = size.x * size.y, all = n * picture;
    [[unroll]] for (uint load = 0; load < LOADS_A; load++) {
        const uint pixel = first_pixel + (load * WG_SIZE + gl_LocalInvocationIndex) / LINE_A;
        top[load] = pixel < all ? FIRST_IN(pixel % picture / size.x, PHASE.y, pad_y) : NOWHERE / 2;
        left[load] = FIRST_IN(pixel % size.x, PHASE.x, pad_x);
        const uint row = pixel / picture * h + top[load];
        origin[load] = (row * w + left[load]) * vectors + gl_LocalInvocationIndex % LINE_A;
    }
    for (uint i = gl_LocalInvocationIndex; i < PIXELS; i += WG_SIZE) {
        const uint pixel = first_pixel + i, row = OUT(pixel % picture / size.x, PHASE.y);
        goals[i] = pixel < all ? (pixel / picture * cout * oh + row) * ow + OUT(pixel % size.x, PHASE.x) : NOWHERE;
    }
}

void fetch(uint first_channel) {
    const uint down = MOVED(0, tap_y), right = MOVED(0, tap_x); // upwards if it is a transposed convolution
    const uint moved = (down * w + right) * vectors + first_c / 8;
    const bool vector_inside = first_c + gl_LocalInvocationIndex % LINE_A * 8 < end_c;
    inside_a = inside_b = 0;
    [[unroll]] for (uint load = 0; load < LOADS_A; load++) {
        const bool inside = vector_inside && top[load] + down < h && left[load] + right < w; // or it has wrapped around
        next_a[load] = x[inside ? origin[load] + moved : 0];
        inside_a |= uint(inside) << load;
    }
    const uint first = (tap_y * kw + tap_x) * vectors * 8;
    [[unroll]] for (uint load = 0; load < LOADS_B; load++) {
        const uint slot = load * WG_SIZE + gl_LocalInvocationIndex;
        const uint line = first_c + slot / LINE_B, at = first_channel / 8 + slot % LINE_B;
        const bool inside = line < end_c && at < vectors_out;
        next_b[load] = weights[inside ? (first + line) * vectors_out + at : 0];
        inside_b |= uint(inside) << load;
    }
}

void place(uint buffer_index) {
    [[unroll]] for (uint load = 0, v = gl_LocalInvocationIndex; load < LOADS_A; load++, v += WG_SIZE)
        tile_a[(buffer_index * PIXELS + v / LINE_A) * PITCH_A + v % LINE_A] =
            (inside_a >> load & 1) != 0 ? next_a[load] : uvec4(0);
    [[unroll]] for (uint load = 0, v = gl_LocalInvocationIndex; load < LOADS_B; load++, v += WG_SIZE)
        tile_b[(buffer_index * TILE_K + v / LINE_B) * PITCH_B + v % LINE_B] =
            (inside_b >> load & 1) != 0 ? next_b[load] : uvec4(0);
}

// Stores a matrix that this subgroup has put into `leaving`, column by column: neighbours have neighbouring pixels.
void put_leaving(uint pixel, uint channel) {
    const uint mine = gl_SubgroupID * COOP_M * COOP_N;
    wait_for_subgroup();
    [[unroll]] for (uint first = 0; first < COOP_M * COOP_N; first += SUBGROUP) {
        const uint e = first + gl_SubgroupInvocationID, to = channel + e / COOP_M;
        if (e >= COOP_M * COOP_N || to >= cout) continue;
        const uint goal = goals[pixel + e % COOP_M];
        const float sum = leaving[mine + e] + (PART == 0 ? LOAD(bias[to]) : 0.0);
        if (goal != NOWHERE) y[(PART * n * cout + to) * oh * ow + goal] = LEAVE(sum);
    }
    wait_for_subgroup();
}

void main() {
    const uint first_pixel = gl_WorkGroupID.x * PIXELS, first_channel = gl_WorkGroupID.y * BLOCK_N;
    const uint row = gl_SubgroupID / SUBGROUPS_N * ACROSS_M * COOP_M;
    const uint col = gl_SubgroupID % SUBGROUPS_N * ACROSS_N * COOP_N;
    const uvec2 size = pixels_of_phase();
    if (any(equal(size, uvec2(0))) || first_pixel >= n * size.x * size.y) return; // all of the workgroup
    vectors = (cin + 7) / 8;
    vectors_out = (cout + 7) / 8;
    const uint share = ((vectors * 8 - 1) / TILE_K / PARTS + 1) * TILE_K;
    first_c = begin_c = PART * share;
    end_c = min(begin_c + share, vectors * 8);
    tap_x = 0;
    tap_y = begin_c < end_c ? 0 : kh;
    find_tap();
    find_pixels(first_pixel);
    MATRIX_SUM sums[ACROSS_M * ACROSS_N];
    [[unroll]] for (uint i = 0; i < ACROSS_M * ACROSS_N; i++) sums[i] = MATRIX_SUM(SUM_T(0));

    bool more = tap_y < kh;
    if (more) fetch(first_channel);
    uint buffer_index = 0;
    [[dont_unroll]] while (more) {
        place(buffer_index);
        barrier();
        count_on();
        more = tap_y < kh;
        if (more) fetch(first_channel);
        [[unroll]] for (uint l = 0; l < TILE_K; l += COOP_K) {
            MATRIX_A of_pixels[ACROSS_M];
            [[unroll]] for (uint i = 0; i < ACROSS_M; i++)
                MATRIX_LOAD(of_pixels[i], tile_a, (buffer_index * PIXELS + row + i * COOP_M) * PITCH_A + l / 8,
                    PITCH_A, false);
            [[unroll]] for (uint j = 0; j < ACROSS_N; j++) {
                MATRIX_B of_weights;
                MATRIX_LOAD(of_weights, tile_b, (buffer_index * TILE_K + l) * PITCH_B + (col + j * COOP_N) / 8,
                    PITCH_B, false);
                [[unroll]] for (uint i = 0; i < ACROSS_M; i++)
                    sums[i * ACROSS_N + j] = MATRIX_MULTIPLY(of_pixels[i], of_weights, sums[i * ACROSS_N + j]);
            }
        }
        if (BUFFERS == 1) barrier();
        else buffer_index = 1 - buffer_index;
    }

    barrier(); // goals are written
    [[unroll]] for (uint i = 0; i < ACROSS_M; i++)
        [[unroll]] for (uint j = 0; j < ACROSS_N; j++) {
            MATRIX_STORE_BY_COLUMN(sums[i * ACROSS_N + j], leaving, gl_SubgroupID * COOP_M * COOP_N, COOP_M);
            put_leaving(row + i * COOP_M, first_channel + col + j * COOP_N);
        }
}
