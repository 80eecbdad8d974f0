// SPDX-License-Identifier: Apache-2.0
// Gradient of an embedding without atomic additions, one workgroup per row of the table. It looks through the indices,
// a workgroup's width at a time, and marks the indices of its row as bits in shared memory. It adds up the rows they
// stand for in order, so the bits are the same each time. This is done once for every 4 WG_SIZE ITEMS columns, with the
// sums in registers.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "row_quads.glsl"

layout(binding = 0) readonly buffer Index { uint index[]; };
layout(binding = 1) readonly buffer Dy { T dy[]; };
layout(binding = 1) readonly buffer Dy4 { VEC4T dy4[]; };
layout(binding = 2) writeonly buffer Dtable { T dtable[]; };
layout(binding = 2) writeonly buffer Dtable4 { VEC4T dtable4[]; };
layout(push_constant) uniform Push { uint rows, cols, n; };
QUAD_READER(dy_quad, dy, dy4)
QUAD_WRITER(put_quad, dtable, dtable4)

layout(constant_id = 3) const uint ITEMS = 4;

const uint WORDS = (WG_SIZE + 31u) / 32u;
shared uint found[2][WORDS]; // in turn: one is cleared while the other is read
shared uint some[2];

vec4 sums[ITEMS];

void add_rows(uint turn, uint first, uint first_col) {
    for (uint word = 0; word < WORDS; word++)
        for (uint bits = found[turn][word]; bits != 0; bits &= bits - 1) {
            const uint start = (first + word * 32 + findLSB(bits)) * cols;
            [[unroll]] for (uint item = 0; item < ITEMS; item++)
                sums[item] += dy_quad(start, first_col + item * 4 * WG_SIZE);
        }
}

void sum_columns(uint row, uint first_col) {
    const uint lane = gl_LocalInvocationIndex;
    [[unroll]] for (uint item = 0; item < ITEMS; item++) sums[item] = vec4(0.0);
    barrier();
    if (lane < WORDS) found[0][lane] = 0;
    if (lane == 0) some[0] = 0;
    for (uint first = 0, turn = 0; first < n; first += WG_SIZE, turn ^= 1) {
        barrier();
        if (lane < WORDS) found[turn ^ 1][lane] = 0;
        if (lane == 0) some[turn ^ 1] = 0;
        if (first + lane < n && index[first + lane] == row) {
            atomicOr(found[turn][lane / 32], 1u << lane % 32);
            atomicOr(some[turn], 1u);
        }
        barrier();
        if (some[turn] != 0) add_rows(turn, first, first_col);
    }
    [[unroll]] for (uint item = 0; item < ITEMS; item++)
        put_quad(row * cols, first_col + item * 4 * WG_SIZE, sums[item]);
}

void main() {
    const uint row = linear_group();
    if (row >= rows) return;
    take_row(0, cols);
    for (uint col = 0; col < cols; col += 4 * WG_SIZE * ITEMS)
        sum_columns(row, col + 4 * gl_LocalInvocationIndex);
}
