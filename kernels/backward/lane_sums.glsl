// SPDX-License-Identifier: Apache-2.0
// Gradients of norms of short rows, several rows per workgroup (lane_rows.glsl). n workgroups take every n-th stretch
// of rows. An invocation's columns stay the same, and it adds up each of them on its way. At the end the workgroup
// joins the sums of its rows, in its own line.
shared vec2 pair_partial[WG_SIZE];

// Returns the sums of a row's invocations (lanes.glsl). Every invocation of the workgroup must call.
vec2 reduce_sums(vec2 value) {
    EACH_SHUFFLE(step) value += subgroupShuffleXor(value, step);
    if (lanes <= SUBGROUP_WIDTH) return value;
    NEXT_HALF();
    if (subgroupElect()) pair_partial[lanes_half + gl_SubgroupID] = value;
    barrier();
    const uint first = lanes_half + LANES_FIRST_PART;
    value = pair_partial[first];
    for (uint i = 1u; i < LANES_PARTS; i++) value += pair_partial[first + i];
    return value;
}

shared vec4 fold_partial[WG_SIZE];

// Returns the sum over the workgroup's rows, for the invocations of the first row.
vec4 fold_rows(vec4 value) {
    const uint i = lanes_row * lanes + lane;
    barrier(); // the previous call has read
    fold_partial[i] = value;
    for (uint count = together / 2u; count > 0u; count /= 2u) {
        barrier();
        if (lanes_row < count) fold_partial[i] += fold_partial[i + count * lanes];
    }
    return fold_partial[i];
}

// Kept columns are added in registers, the others in the workgroup's own line of `partial`.
#define COLUMN_SUMS(name, partial)                                                            \
    vec4 name[QUADS];                                                                         \
    void put_##name(uint col, vec4 four, bool fresh) {                                        \
        const uint at = gl_WorkGroupID.x * cols + col;                                        \
        for (uint j = 0; j < 4; j++)                                                          \
            if (col + j < cols) partial[at + j] = fresh ? four[j] : partial[at + j] + four[j]; \
    }                                                                                         \
    void fold_##name() {                                                                      \
        EACH_KEPT(quad, col) {                                                                \
            const vec4 sums = fold_rows(name[quad]);                                          \
            if (lanes_row == 0u) put_##name(col, sums, true);                                 \
        }                                                                                     \
    }

// Walks over all rows of the workgroup; start() and end() run before and after them.
#define LANE_SUMS_MAIN(start, each_row, end)                                                  \
    void walk_rows() {                                                                        \
        row_turn = 0u;                                                                        \
        take_lane_row(0u);                                                                    \
        start();                                                                              \
        const uint stretches = (rows - 1u >> together_log2) + 1u;                             \
        [[dont_unroll]] for (uint turn = gl_WorkGroupID.x; turn < stretches; turn += gl_NumWorkGroups.x) { \
            take_lane_row(turn * together + lanes_row);                                       \
            each_row();                                                                       \
        }                                                                                     \
        end();                                                                                \
    }                                                                                         \
    void main() {                                                                             \
        share_out(cols, VECTORS * VECTOR_SIZE);                                               \
        EACH_WAY(walk_rows)                                                                   \
    }
