// SPDX-License-Identifier: Apache-2.0
// Attention by blocks of OWN rows of the workgroup's side (queries or keys) and OTHER rows of the side it walks over.
//
// An invocation holds ROWS x COLS products of each kind in registers: of queries and keys, and of gradients and values.
// Its rows are a workgroup's height apart, its columns a workgroup's width. Rows of all four tensors pass through
// `tile`, DEPTH vectors at a time. Elements beyond an edge are read as zero.
#extension GL_EXT_control_flow_attributes : require
#include "workgroup.glsl"

layout(constant_id = 3) const uint ROWS = 4;
layout(constant_id = 4) const uint COLS = 4;
layout(constant_id = 5) const uint HEAD = 64;
layout(constant_id = 6) const uint DEPTH = 4;

const uint OWN = WG_Y * ROWS, OTHER = WG_X * COLS;

// Counted in vec4s. The padding puts neighbouring lines into different banks.
const uint PITCH = DEPTH + 1, TILE = 2 * (OWN + OTHER) * PITCH;
shared vec4 tile[TILE];

#define EACH_ROW(r) [[unroll]] for (uint r = 0; r < ROWS; r++)
#define EACH_COL(c) [[unroll]] for (uint c = 0; c < COLS; c++)
// Runs over an invocation's share of `slots`. The number of turns is constant, so all its loads are on their way at
// once.
#define EACH_SLOT(i, slot, slots)                                                             \
    [[unroll]] for (uint i = 0, slot = gl_LocalInvocationIndex; i < (slots + WG_SIZE - 1) / WG_SIZE; \
                    i++, slot += WG_SIZE)                                                     \
        if (slot < slots)

// Declares a tensor of rows. Its x_four(row, column) reads four columns. fetch_x(...) reads an invocation's share of
// `lines` rows from `first` on, of a head with `count`, and place_x(at) puts it into the tile from line `at` on.
#define ROWS_OF(binding_of, x, lines)                                                         \
    layout(binding = binding_of) readonly buffer Elements_##x { T x[]; };                     \
    layout(binding = binding_of) readonly buffer Fours_##x { VEC4T x##_fours[]; };            \
    vec4 x##_four(uint row, uint column) {                                                    \
        const uint start = row * head_dim + column;                                           \
        if (head_dim % 4 == 0) return column < head_dim ? LOAD4(x##_fours[start / 4]) : vec4(0.0); \
        vec4 four = vec4(0.0);                                                                \
        [[unroll]] for (uint i = 0; i < 4; i++)                                               \
            if (column + i < head_dim) four[i] = LOAD(x[start + i]);                          \
        return four;                                                                          \
    }                                                                                         \
    vec4 next_##x[(lines * DEPTH + WG_SIZE - 1) / WG_SIZE];                                   \
    void fetch_##x(uint head, uint first, uint count, uint column) {                          \
        EACH_SLOT(i, slot, lines * DEPTH) {                                                   \
            const uint row = first + slot / DEPTH;                                            \
            next_##x[i] = vec4(0.0);                                                          \
            if (row < count) next_##x[i] = x##_four(head * count + row, column + slot % DEPTH * 4); \
        }                                                                                     \
    }                                                                                         \
    void place_##x(uint at) {                                                                 \
        EACH_SLOT(i, slot, lines * DEPTH) tile[(at + slot / DEPTH) * PITCH + slot % DEPTH] = next_##x[i]; \
    }

ROWS_OF(0, own_scored, OWN) // q or k
ROWS_OF(1, own_valued, OWN) // do or v
ROWS_OF(2, other_scored, OTHER)
ROWS_OF(3, other_valued, OTHER)

uint own_head, own_first, own_count, other_count;

uint own_row(uint r) {
    return own_first + r * WG_Y + gl_LocalInvocationID.y;
}

float scores[ROWS][COLS], dp[ROWS][COLS]; // q . k, not scaled; do . v

float add_four(vec4 a, vec4 b, float sum) {
    return fma(a.w, b.w, fma(a.z, b.z, fma(a.y, b.y, fma(a.x, b.x, sum))));
}

void fetch_rows(uint other_head, uint other_first, uint column) {
    fetch_own_scored(own_head, own_first, own_count, column);
    fetch_own_valued(own_head, own_first, own_count, column);
    fetch_other_scored(other_head, other_first, other_count, column);
    fetch_other_valued(other_head, other_first, other_count, column);
}

// The next columns are on their way to registers while some are multiplied.
void make_products(uint other_head, uint other_first) {
    EACH_ROW(r) EACH_COL(c) scores[r][c] = dp[r][c] = 0.0;
    fetch_rows(other_head, other_first, 0);
    for (uint column = 0; column < head_dim; column += 4 * DEPTH) {
        barrier();
        place_own_scored(0);
        place_own_valued(OWN);
        place_other_scored(2 * OWN);
        place_other_valued(2 * OWN + OTHER);
        barrier();
        if (column + 4 * DEPTH < head_dim) fetch_rows(other_head, other_first, column + 4 * DEPTH);
        const uint own = gl_LocalInvocationID.y, other = 2 * OWN + gl_LocalInvocationID.x;
        [[unroll]] for (uint i = 0; i < DEPTH; i++) {
            vec4 cols[COLS];
            EACH_COL(c) cols[c] = tile[(other + c * WG_X) * PITCH + i];
            EACH_ROW(r) {
                const vec4 row = tile[(own + r * WG_Y) * PITCH + i];
                EACH_COL(c) scores[r][c] = add_four(row, cols[c], scores[r][c]);
            }
            EACH_COL(c) cols[c] = tile[(other + OTHER + c * WG_X) * PITCH + i];
            EACH_ROW(r) {
                const vec4 row = tile[(own + OWN + r * WG_Y) * PITCH + i];
                EACH_COL(c) dp[r][c] = add_four(row, cols[c], dp[r][c]);
            }
        }
    }
}

bool sees(uint query, uint key) {
    return query < queries && key < end_of_keys(query);
}
