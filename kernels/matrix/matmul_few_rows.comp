// SPDX-License-Identifier: Apache-2.0
// Computes c[m, n] = a[m, k] b[n, k]^T for few rows of a, where reading b takes most of the time. A workgroup takes
// BLOCK_N rows of b and BLOCK_M rows of a. Its subgroups take chunks of CHUNK columns in turn, each in its own part of
// shared memory. So a subgroup waits only for its own loads. At the end the workgroup adds up the subgroups' sums.
//
// Rows of b are rows of a matrix, and rows of a are its columns, because some devices have matrices of fewer columns
// than rows. The next AHEAD chunks are on their way to registers. Places in memory are computed once, because many
// instructions a chunk cost as much as the loads. Rows of a beyond the last are zero, rows of b repeat the last one,
// and columns beyond the last are zero.
//
// No rounding mode is declared, because the units that multiply matrices round as they like. All sizes are
// specialization constants, so that one module serves all shapes.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#if defined(DTYPE_Q8_0) || defined(DTYPE_Q4_0)
#extension GL_KHR_shader_subgroup_shuffle : require
#endif
#define FREE_ROUNDING
#define ALL_CONTROLS
#define B_TURNED
#define VECTOR 8
#include "cooperative.glsl"
#include "product.glsl"
#include "line_vectors.glsl"
#include "block_vectors.glsl"
#include "subgroup_wait.glsl"

layout(constant_id = 3) const uint SUBGROUP = 32;
layout(constant_id = 4) const uint BLOCK_M = 16;
layout(constant_id = 5) const uint BLOCK_N = 32;
layout(constant_id = 6) const uint CHUNK = 64;
layout(constant_id = 7) const uint AHEAD = 1;
layout(constant_id = 8) const uint COOP_M = 16;
layout(constant_id = 9) const uint COOP_N = 8;
layout(constant_id = 10) const uint COOP_K = 16;

const uint SUBGROUPS = WG_X / SUBGROUP, ACROSS_M = BLOCK_M / COOP_N, ACROSS_N = BLOCK_N / COOP_M;
// Counted in vectors: a line of a chunk, its pitch, a subgroup's part of shared memory, the loads of an invocation.
const uint LINE = CHUNK / VECTOR, PITCH = LINE + 1, PART = (BLOCK_N + BLOCK_M) * PITCH;
const uint LOADS_A = BLOCK_M * LINE / SUBGROUP, LOADS_B = BLOCK_N * LINE / SUBGROUP;

shared uvec4 parts[SUBGROUPS * PART];

uint first_row, first_col, part, turns;
uint from_a[LOADS_A], from_b[LOADS_B];
EIGHT_OF_A next_a[AHEAD * LOADS_A];
EIGHT_OF_B next_b[AHEAD * LOADS_B];
MATRIX_SUM sums[ACROSS_N * ACROSS_M];

#define EACH_LOAD(load, loads, line, at)                                                      \
    for (uint load = 0; load < loads; load++) {                                               \
        const uint slot = load * SUBGROUP + gl_SubgroupInvocationID;                          \
        const uint line = slot / LINE, at = slot % LINE;
#define END_LOAD }

#define ROW (first_row + line)
#define COL min(first_col + line, n - 1)
#define PLACE_A(vector) parts[part + (BLOCK_N + line) * PITCH + at] = vector;
#define PLACE_B(vector) parts[part + line * PITCH + at] = vector;

// Sets the places of this invocation's first vectors. Rows of a beyond the last are never loaded and stay zero.
void begin() {
    const uint first_k = gl_SubgroupID * CHUNK;
    [[unroll]] EACH_LOAD(load, LOADS_B, line, at) from_b[load] = B_PLACE(COL, first_k + at * VECTOR); END_LOAD
    [[unroll]] EACH_LOAD(load, LOADS_A, line, at) from_a[load] = A_PLACE(ROW, first_k + at * VECTOR); END_LOAD
#if defined(B_BLOCKS) && !defined(WIDE_A)
    [[unroll]] for (uint i = 0; i < AHEAD * LOADS_A; i++) next_a[i] = eight_floats(vec4(0.0), vec4(0.0));
#else
    [[unroll]] for (uint i = 0; i < AHEAD * LOADS_A; i++) next_a[i] = uvec4(0);
#endif
}

// Fetches a turn, a chunk of each subgroup. `next` is the number of its registers.
void fetch(uint next, uint turn) {
    const uint past = turn * SUBGROUPS * CHUNK;
    [[unroll]] EACH_LOAD(load, LOADS_B, line, at)
        next_b[next * LOADS_B + load] = b_fetch(from_b[load] + B_UNITS(past));
    END_LOAD
    [[unroll]] EACH_LOAD(load, LOADS_A, line, at)
        if (ROW < m) next_a[next * LOADS_A + load] = a_fetch(from_a[load] + A_UNITS(past));
    END_LOAD
}

// Places a turn in shared memory, as f16 or bf16.
void place(uint next) {
    [[unroll]] EACH_LOAD(load, LOADS_B, line, at) PLACE_B(b_ready(next_b[next * LOADS_B + load], at)) END_LOAD
    [[unroll]] EACH_LOAD(load, LOADS_A, line, at) PLACE_A(a_ready(next_a[next * LOADS_A + load])) END_LOAD
}

// Fetches and places at once, for a last turn beyond k, and lines that do not begin at vectors.
void place_now(uint turn) {
    const uint first_k = (turn * SUBGROUPS + gl_SubgroupID) * CHUNK;
    [[dont_unroll]] EACH_LOAD(load, LOADS_B, line, at) PLACE_B(b_vector(COL, first_k + at * VECTOR)) END_LOAD
    [[dont_unroll]] EACH_LOAD(load, LOADS_A, line, at)
        PLACE_A(ROW < m ? a_vector(ROW, first_k + at * VECTOR) : uvec4(0))
    END_LOAD
}

// Multiplies a turn, and fetches the one AHEAD of it to the same registers.
void multiply(uint next, uint turn) {
    if (turn < turns) place(next);
    else place_now(turn);
    wait_for_subgroup();
    if (turn + AHEAD < turns) fetch(next, turn + AHEAD);
    [[unroll]] for (uint l = 0; l < CHUNK; l += COOP_K) {
        MATRIX_A of_b[ACROSS_N];
        [[unroll]] for (uint j = 0; j < ACROSS_N; j++)
            MATRIX_LOAD(of_b[j], parts, part + j * COOP_M * PITCH + l / VECTOR, PITCH, false);
        [[unroll]] for (uint i = 0; i < ACROSS_M; i++) {
            MATRIX_B of_a;
            MATRIX_LOAD(of_a, parts, part + (BLOCK_N + i * COOP_N) * PITCH + l / VECTOR, PITCH, true);
            [[unroll]] for (uint j = 0; j < ACROSS_N; j++)
                sums[i * ACROSS_N + j] = MATRIX_MULTIPLY(of_b[j], of_a, sums[i * ACROSS_N + j]);
        }
    }
    wait_for_subgroup();
}

void main() {
    first_row = gl_WorkGroupID.y * BLOCK_M;
    first_col = gl_WorkGroupID.x * BLOCK_N;
    part = gl_SubgroupID * PART;
    turns = LINES_FIT ? k / (SUBGROUPS * CHUNK) : 0;
    [[unroll]] for (uint i = 0; i < ACROSS_N * ACROSS_M; i++) sums[i] = MATRIX_SUM(SUM_T(0));
    begin();
    if (turns > 0) fetch(0, 0);
    if (AHEAD > 1 && turns > 1) fetch(1, 1);

    // All subgroups take as many turns, because some drivers stop the whole workgroup at a subgroup's barrier. Turns
    // with different registers are written out: in a loop over them some drivers put the registers into memory.
    const uint all_turns = (k - 1) / (SUBGROUPS * CHUNK) + 1;
    [[dont_unroll]] for (uint turn = 0; turn < all_turns; turn += AHEAD) {
        multiply(0, turn);
        if (AHEAD > 1) multiply(1, turn + 1);
    }

    [[unroll]] for (uint i = 0; i < ACROSS_M; i++)
        [[unroll]] for (uint j = 0; j < ACROSS_N; j++)
            MATRIX_STORE_BY_COLUMN(sums[i * ACROSS_N + j], parts,
                part + (i * COOP_N * BLOCK_N + j * COOP_M) / 4, BLOCK_N / 4);
    barrier();
    for (uint quad = gl_LocalInvocationIndex; quad < BLOCK_M * BLOCK_N / 4; quad += WG_SIZE) {
        vec4 four = vec4(0.0);
        [[unroll]] for (uint s = 0; s < SUBGROUPS; s++) four += uintBitsToFloat(parts[s * PART + quad]);
        put_quad(first_row + quad / (BLOCK_N / 4), first_col + quad % (BLOCK_N / 4) * 4, four);
    }
}
