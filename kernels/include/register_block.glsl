// SPDX-License-Identifier: Apache-2.0
// A product of matrices. A workgroup computes a block of WG_Y TM x WG_X TN elements, an invocation TM x TN of them
// in registers. The shader supplies the factors: it defines fetch_a and fetch_b, calls multiply_block(k), and
// finds the sums in `sums`.
//
// Shared memory holds TILE_K columns of a and rows of b at a time, as vec4s along rows and columns. A step of k
// then costs an invocation (TM + TN) / 4 reads for TM TN multiply-adds. A vec4's elements are not neighbours:
// element e of quad q is row (or column) e QUADS + q of the block. Neighbouring invocations have neighbouring
// quads, so they read and write neighbours in memory. The next tile is loaded to registers while one is
// multiplied.
//
// With SLICED a workgroup is WG_Z slices deep, and each takes its share of every tile's steps. Then join_slices()
// is true only in the first slice, which has the sums of all.
#ifndef VKASSAY_REGISTER_BLOCK
#define VKASSAY_REGISTER_BLOCK

#extension GL_EXT_control_flow_attributes : require
#include "workgroup.glsl"

layout(constant_id = 3) const uint TM = 8;
layout(constant_id = 4) const uint TN = 8;
layout(constant_id = 5) const uint TILE_K = 8;
layout(constant_id = 7) const uint BUFFERS = 1; // with 2, a tile is stored while others read the last

// Counted in vec4s: the sides of the block, and the loads of an invocation for one tile.
const uint QUADS_M = WG_Y * TM / 4, QUADS_N = WG_X * TN / 4;
const uint LOADS_A = TILE_K * QUADS_M / WG_SIZE, LOADS_B = TILE_K * QUADS_N / WG_SIZE;
// Padded, so that neighbours along k write to different banks.
const uint PITCH_A = QUADS_M + 1;
#ifdef B_ALONG_K
const uint PITCH_B = QUADS_N + 1;
#else
const uint PITCH_B = QUADS_N;
#endif

const uint SIZE_A = TILE_K * PITCH_A, SIZE_B = TILE_K * PITCH_B;

shared vec4 tile_a[BUFFERS * SIZE_A];
shared vec4 tile_b[BUFFERS * SIZE_B];

vec4 next_a[LOADS_A], next_b[LOADS_B];
vec4 sums[TM][TN / 4];

#include "slices.glsl"

// For a, fetch_a returns rows e QUADS_M + quad of the block, e = 0 .. 3, at column `at`. For b, fetch_b returns columns
// e QUADS_N + quad at row `at`. Both return zero if `at` is beyond the end of k. For each `load` the tiles come in
// their order.
vec4 fetch_a(uint load, uint quad, uint at);
vec4 fetch_b(uint load, uint quad, uint at);

// Return the k and the quad that an invocation fetches. k runs fastest through a, quads run fastest through b. The quad
// of b is the same for every load. With B_ALONG_K, k runs fastest through b too.
uint k_of_a() {
    return gl_LocalInvocationIndex % TILE_K;
}
uint quad_of_a(uint load) {
    return gl_LocalInvocationIndex / TILE_K + load * (WG_SIZE / TILE_K);
}
#ifdef B_ALONG_K
uint k_of_b(uint load) {
    return k_of_a();
}
uint quad_of_b(uint load) {
    return quad_of_a(load);
}
#else
uint k_of_b(uint load) {
    return gl_LocalInvocationIndex / QUADS_N + load * (WG_SIZE / QUADS_N);
}
uint quad_of_b(uint load) {
    return gl_LocalInvocationIndex % QUADS_N;
}
#endif

void fetch_tiles(uint first) {
    [[unroll]] for (uint load = 0; load < LOADS_A; load++)
        next_a[load] = fetch_a(load, quad_of_a(load), first + k_of_a());
    [[unroll]] for (uint load = 0; load < LOADS_B; load++)
        next_b[load] = fetch_b(load, quad_of_b(load), first + k_of_b(load));
}

void place_tiles(uint buffer_) {
    [[unroll]] for (uint load = 0; load < LOADS_A; load++)
        tile_a[buffer_ * SIZE_A + k_of_a() * PITCH_A + quad_of_a(load)] = next_a[load];
    [[unroll]] for (uint load = 0; load < LOADS_B; load++)
        tile_b[buffer_ * SIZE_B + k_of_b(load) * PITCH_B + quad_of_b(load)] = next_b[load];
}

void multiply_tiles(uint buffer_) {
    const uint first_a = buffer_ * SIZE_A + FIRST_STEP * PITCH_A;
    const uint first_b = buffer_ * SIZE_B + FIRST_STEP * PITCH_B;
    [[unroll]] for (uint i = 0; i < STEPS; i++) {
        vec4 rows[TM / 4], cols[TN / 4];
        [[unroll]] for (uint r = 0; r < TM / 4; r++)
            rows[r] = tile_a[first_a + i * PITCH_A + r * WG_Y + gl_LocalInvocationID.y];
        [[unroll]] for (uint s = 0; s < TN / 4; s++)
            cols[s] = tile_b[first_b + i * PITCH_B + s * WG_X + gl_LocalInvocationID.x];
        [[unroll]] for (uint r = 0; r < TM; r++)
            [[unroll]] for (uint s = 0; s < TN / 4; s++)
                sums[r][s] = fma(vec4(rows[r / 4][r % 4]), cols[s], sums[r][s]);
    }
}

void multiply_block(uint k) {
    const uint tiles = (k - 1) / TILE_K + 1;
    [[unroll]] for (uint r = 0; r < TM; r++)
        [[unroll]] for (uint s = 0; s < TN / 4; s++) sums[r][s] = vec4(0.0);
    fetch_tiles(0);
    for (uint tile = 1; tile <= tiles; tile++) {
        place_tiles(tile % BUFFERS);
        barrier();
        if (tile < tiles) fetch_tiles(tile * TILE_K);
        multiply_tiles(tile % BUFFERS);
        if (BUFFERS == 1) barrier();
    }
}

// Return the row and the column of sums[r][s][e] in the block. In a loop, test the edge by an `if` around the store.
// Some drivers do not unroll a loop with a `continue`, and move the sums to memory to index them.
uint row_of_sum(uint r) {
    return r % 4 * QUADS_M + r / 4 * WG_Y + gl_LocalInvocationID.y;
}
uint col_of_sum(uint s, uint e) {
    return e * QUADS_N + s * WG_X + gl_LocalInvocationID.x;
}

#endif
