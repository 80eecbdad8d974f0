// SPDX-License-Identifier: Apache-2.0
// Gradients of attention by blocks. The weights p and the slopes of scores ds are made again from each query's
// statistics. With OF_QUERIES a workgroup adds ds times keys to its queries' gradients. Otherwise it adds, over the
// queries of all heads that share its keys, p times gradients and ds times queries.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "attention.glsl"
#include "attention_tiles.glsl"

layout(binding = 4) readonly buffer Statistics { vec4 statistics[]; };
layout(binding = 5) writeonly buffer Scored { T scored[]; }; // dq or dk
#ifndef OF_QUERIES
layout(binding = 6) writeonly buffer Valued { T valued[]; }; // dv
#endif

// Counted in vec4s: columns of an invocation, a line, a line of factors. LINES of the other side fit into the tile.
const uint PARTS = HEAD / (4 * WG_X), LINE = HEAD / 4, FACTOR_PITCH = OTHER / 4 + 1;
const uint FITTING = TILE / LINE / 4 * 4, LINES = FITTING < OTHER ? FITTING : OTHER;
shared vec4 factors[OWN * FACTOR_PITCH];

void make_pairs(uint other_head, uint other_first) {
    EACH_ROW(r) EACH_COL(c) {
        const uint own = own_row(r), other = other_first + c * WG_X + gl_LocalInvocationID.x;
#ifdef OF_QUERIES
        const uint query = own, key = other, head = own_head;
#else
        const uint query = other, key = own, head = other_head;
#endif
        const vec4 of_query = statistics[head * queries + min(query, queries - 1)];
        const float p = sees(query, key) ? exp(scores[r][c] * scale - of_query.x) * of_query.y : 0.0;
        scores[r][c] = p;
        dp[r][c] = p * (dp[r][c] - of_query.z);
    }
}

// Hands an invocation's factors to the others.
#define SHARE_FACTORS(of_pairs)                                                               \
    barrier();                                                                                \
    EACH_ROW(r) EACH_COL(c) {                                                                 \
        const uint row = r * WG_Y + gl_LocalInvocationID.y, col = c * WG_X + gl_LocalInvocationID.x; \
        factors[row * FACTOR_PITCH + col / 4][col % 4] = of_pairs[r][c];                      \
    }

// Declares sums, and add_sums(...), which adds the shared factors times rows of the other side.
#define SUMS_OF(sums, rows_of)                                                                \
    vec4 sums[ROWS][PARTS];                                                                   \
    void add_##sums(uint head, uint first, uint column) {                                     \
        [[dont_unroll]] for (uint start = 0; start < OTHER; start += LINES) {                 \
            const uint lines = min(LINES, OTHER - start);                                     \
            vec4 next[(LINES * LINE + WG_SIZE - 1) / WG_SIZE];                                \
            EACH_SLOT(i, slot, LINES * LINE) {                                                \
                const uint row = first + start + slot / LINE;                                 \
                next[i] = vec4(0.0);                                                          \
                if (row < other_count) next[i] = rows_of##_four(head * other_count + row, column + slot % LINE * 4); \
            }                                                                                 \
            barrier();                                                                        \
            EACH_SLOT(i, slot, LINES * LINE) tile[slot] = next[i];                            \
            barrier();                                                                        \
            for (uint i = 0; i < lines; i += 4) {                                             \
                vec4 four[ROWS];                                                              \
                EACH_ROW(r)                                                                   \
                    four[r] = factors[(r * WG_Y + gl_LocalInvocationID.y) * FACTOR_PITCH + (start + i) / 4]; \
                [[unroll]] for (uint j = 0; j < 4; j++)                                       \
                    [[unroll]] for (uint part = 0; part < PARTS; part++) {                    \
                        const vec4 row = tile[(i + j) * LINE + part * WG_X + gl_LocalInvocationID.x]; \
                        EACH_ROW(r) sums[r][part] = fma(vec4(four[r][j]), row, sums[r][part]); \
                    }                                                                         \
            }                                                                                 \
        }                                                                                     \
    }

#define STORE_SUMS(sums, to, factor)                                                          \
    EACH_ROW(r) [[unroll]] for (uint part = 0; part < PARTS; part++) {                        \
        const uint column = first_column + (part * WG_X + gl_LocalInvocationID.x) * 4;        \
        [[unroll]] for (uint i = 0; i < 4; i++)                                               \
            if (own_row(r) < own_count && column + i < head_dim)                              \
                to[(own_head * own_count + own_row(r)) * head_dim + column + i] = STORE(sums[r][part][i] * factor); \
    }

SUMS_OF(slopes_sums, other_scored)
#ifndef OF_QUERIES
SUMS_OF(weights_sums, other_valued)
#endif

void add_block(uint other_head, uint other_first, uint first_column) {
    make_products(other_head, other_first);
    make_pairs(other_head, other_first);
#ifndef OF_QUERIES
    SHARE_FACTORS(scores)
    add_weights_sums(other_head, other_first, first_column);
#endif
    SHARE_FACTORS(dp)
    add_slopes_sums(other_head, other_first, first_column);
}

void main() {
    const uint first_column = gl_WorkGroupID.z * HEAD;
    own_head = gl_WorkGroupID.y;
    EACH_ROW(r) [[unroll]] for (uint part = 0; part < PARTS; part++) {
        slopes_sums[r][part] = vec4(0.0);
#ifndef OF_QUERIES
        weights_sums[r][part] = vec4(0.0);
#endif
    }
#ifdef OF_QUERIES
    own_first = (gl_NumWorkGroups.x - 1 - gl_WorkGroupID.x) * OWN; // with causal, the most keys first
    own_count = queries;
    other_count = keys;
    const uint end = end_of_keys(min(own_first + OWN, queries) - 1);
    for (uint key = 0; key < end; key += OTHER) add_block(kv_head_of(own_head), key, first_column);
#else
    own_first = gl_WorkGroupID.x * OWN;
    own_count = keys;
    other_count = queries;
    const uint sharing = heads / kv_heads;
    const uint hidden = causal != 0 && own_first + queries > keys ? own_first + queries - keys : 0;
    for (uint head = own_head * sharing; head < (own_head + 1) * sharing; head++)
        for (uint query = hidden; query < queries; query += OTHER) add_block(head, query, first_column);
    STORE_SUMS(weights_sums, valued, 1.0)
#endif
    STORE_SUMS(slopes_sums, scored, scale)
}
