// SPDX-License-Identifier: Apache-2.0
// Attention by blocks of WG_Y ROWS queries and WG_X COLS keys, with HEAD columns of the output.
//
// An invocation holds ROWS x COLS scores and ROWS x HEAD / WG_X outputs in registers. Its rows are a workgroup's height
// apart, its columns a workgroup's width. Neighbours then read neighbouring words of shared memory and share their
// rows. Queries and keys pass through `tile` a few columns at a time, then the values a few rows at a time. `weights`
// passes a block of weights from the invocations that made them to all others. Elements beyond an edge are read as
// zero.
#ifndef VKASSAY_QUERY_BLOCKS
#define VKASSAY_QUERY_BLOCKS

#include "workgroup.glsl"

layout(constant_id = 3) const uint ROWS = 4;
layout(constant_id = 4) const uint COLS = 4;
layout(constant_id = 5) const uint HEAD = 128;

const uint BLOCK_ROWS = WG_Y * ROWS, BLOCK_COLS = WG_X * COLS, PARTS = HEAD / (4 * WG_X);

// Counted in vec4s. Rows of the tile and of the weights are padded by one, so that neighbouring rows start in different
// banks.
const uint DEPTH = 8, PITCH = DEPTH + 1, WEIGHT_PITCH = BLOCK_COLS / 4 + 1;
const uint TILE = (BLOCK_ROWS + BLOCK_COLS) * PITCH;
const uint VALUE_ROWS = TILE / (HEAD / 4) / 4 * 4; // rows of values that fit into the tile

shared vec4 tile[TILE];
shared vec4 weights[BLOCK_ROWS * WEIGHT_PITCH];

// Defines a reader of four columns of a row that starts at `start`, in a buffer declared as T and as VEC4T.
#define FETCH(name, narrow, wide)                                                             \
    vec4 name(uint start, uint column, uint columns) {                                        \
        if (columns % 4 == 0)                                                                 \
            return column < columns ? LOAD4(wide[(start + column) / 4]) : vec4(0.0);          \
        vec4 four = vec4(0.0);                                                                \
        [[unroll]] for (uint i = 0; i < 4; i++)                                               \
            if (column + i < columns) four[i] = LOAD(narrow[start + column + i]);             \
        return four;                                                                          \
    }

#ifdef QUERIES_AND_KEYS
FETCH(fetch_q, q, q4)
FETCH(fetch_k, k, k4)

float scores[ROWS][COLS];

void place_queries_and_keys(uint first_row, uint first_key, uint column) {
    const uint slots = (BLOCK_ROWS + BLOCK_COLS) * DEPTH;
    for (uint slot = gl_LocalInvocationIndex; slot < slots; slot += WG_SIZE) {
        const uint line = slot / DEPTH, at = column + slot % DEPTH * 4;
        const uint row = first_row + line, key = first_key + line - BLOCK_ROWS;
        vec4 four = vec4(0.0);
        if (line < BLOCK_ROWS) {
            if (row < queries) four = fetch_q((q_head() * queries + row) * head_dim, at, head_dim);
        } else if (key < keys) {
            four = fetch_k((kv_head() * keys + key) * head_dim, at, head_dim);
        }
        tile[line * PITCH + slot % DEPTH] = four;
    }
}

// Computes the block's products of queries and keys, neither scaled nor masked.
void make_scores(uint first_row, uint first_key) {
    [[unroll]] for (uint r = 0; r < ROWS; r++)
        [[unroll]] for (uint c = 0; c < COLS; c++) scores[r][c] = 0.0;
    for (uint column = 0; column < head_dim; column += 4 * DEPTH) {
        barrier();
        place_queries_and_keys(first_row, first_key, column);
        barrier();
        [[unroll]] for (uint i = 0; i < DEPTH; i++) {
            vec4 rows[ROWS], cols[COLS];
            [[unroll]] for (uint r = 0; r < ROWS; r++)
                rows[r] = tile[(r * WG_Y + gl_LocalInvocationID.y) * PITCH + i];
            [[unroll]] for (uint c = 0; c < COLS; c++)
                cols[c] = tile[(BLOCK_ROWS + c * WG_X + gl_LocalInvocationID.x) * PITCH + i];
            [[unroll]] for (uint r = 0; r < ROWS; r++)
                [[unroll]] for (uint c = 0; c < COLS; c++) {
                    float sum = fma(rows[r].x, cols[c].x, scores[r][c]);
                    sum = fma(rows[r].y, cols[c].y, sum);
                    sum = fma(rows[r].z, cols[c].z, sum);
                    scores[r][c] = fma(rows[r].w, cols[c].w, sum);
                }
        }
    }
}

// Scales the scores. A score is -inf if the query does not see the key.
void mask_scores(uint first_row, uint first_key) {
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        const uint row = first_row + r * WG_Y + gl_LocalInvocationID.y;
        [[unroll]] for (uint c = 0; c < COLS; c++) {
            const uint key = first_key + c * WG_X + gl_LocalInvocationID.x;
            scores[r][c] = sees(row, key) ? logit(scores[r][c], row, key) : NEGATIVE_INFINITY;
        }
    }
}
#endif

#ifdef VALUES
FETCH(fetch_v, v, v4)

vec4 outputs[ROWS][PARTS];

void place_values(uint first_key, uint rows, uint first_column) {
    for (uint slot = gl_LocalInvocationIndex; slot < rows * (HEAD / 4); slot += WG_SIZE) {
        const uint key = first_key + slot / (HEAD / 4), start = (kv_head() * keys + key) * head_dim;
        const uint column = first_column + slot % (HEAD / 4) * 4;
        tile[slot] = key < keys ? fetch_v(start, column, head_dim) : vec4(0.0);
    }
}

// Adds the block's weights times its values to the outputs.
void add_values(uint first_key, uint first_column) {
    for (uint start = 0; start < BLOCK_COLS; start += VALUE_ROWS) {
        const uint rows = min(VALUE_ROWS, BLOCK_COLS - start);
        barrier();
        place_values(first_key + start, rows, first_column);
        barrier();
        for (uint i = 0; i < rows; i += 4) {
            vec4 four[ROWS];
            [[unroll]] for (uint r = 0; r < ROWS; r++) {
                const uint row = r * WG_Y + gl_LocalInvocationID.y;
                four[r] = weights[row * WEIGHT_PITCH + (start + i) / 4];
            }
            [[unroll]] for (uint j = 0; j < 4; j++)
                [[unroll]] for (uint part = 0; part < PARTS; part++) {
                    const uint column = part * WG_X + gl_LocalInvocationID.x;
                    const vec4 value = tile[(i + j) * (HEAD / 4) + column];
                    [[unroll]] for (uint r = 0; r < ROWS; r++)
                        outputs[r][part] = fma(vec4(four[r][j]), value, outputs[r][part]);
                }
        }
    }
}

void write_outputs(uint first_row, uint first_column, float divisors[ROWS]) {
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        const uint row = first_row + r * WG_Y + gl_LocalInvocationID.y;
        const float factor = divisors[r] > 0.0 ? 1.0 / divisors[r] : 0.0;
        [[unroll]] for (uint part = 0; part < PARTS; part++) {
            const uint column = first_column + (part * WG_X + gl_LocalInvocationID.x) * 4;
            const uint at = (q_head() * queries + row) * head_dim + column;
            [[unroll]] for (uint i = 0; i < 4; i++)
                if (row < queries && column + i < head_dim)
                    o[at + i] = STORE(outputs[r][part][i] * factor);
        }
    }
}
#endif

#endif
