// SPDX-License-Identifier: Apache-2.0
// Rows that are read once, several per workgroup (lanes.glsl). Each invocation keeps vectors of 16 bytes of its row in
// registers, interleaved with its neighbours. Columns beyond these are read again when needed. If rows are not a whole
// number of vectors, they are read and written element by element.
//
// The shader declares rows and cols, its operands by ROW_INPUT, ROW_WEIGHTS and ROW_OUTPUT, and functions that keep a
// row and compute it. ROWS_MAIN turns them into main(). An invocation reads its parts of TURNS rows before the first
// is computed, so that their loads overlap. Both row_moments.glsl and row_softmax.glsl need KEPT(quad), element4(col)
// and other_quad(col, beyond), as in row_cache.glsl.
#ifndef VKASSAY_LANE_ROWS
#define VKASSAY_LANE_ROWS

#include "lanes.glsl"
#include "row_quads.glsl"
#include "vectors.glsl"

layout(constant_id = 4) const uint TURNS = 1;
const uint VECTORS = (ITEMS + VECTOR_SIZE - 1u) / VECTOR_SIZE;
// All that invocations keep belongs to a row, and this is all of it. (An && of constants is too much for some drivers.)
const bool ROWS_WHOLE = ROW_LANES * (ITEMS / VECTOR_SIZE) > 0u;
const uint QUADS_OF_VECTOR = VECTOR_SIZE / 4u, QUADS = VECTORS * QUADS_OF_VECTOR;

uint row_index, row_vectors;
uint row_turn;  // the row's number among those of this invocation
bool row_live; // false beyond the last row; row_count is 0 then

// Returns the place in the row of a kept vector. With ROW_BLOCKS defined, each subgroup has a block of the row.
uint vector_place(uint vector) {
#ifdef ROW_BLOCKS
    const uint width = min(lanes, SUBGROUP_WIDTH), place = lane & (width - 1u);
    return (lane - place) * VECTORS + vector * width + place;
#else
    return vector * lanes + lane;
#endif
}

uint quad_col(uint quad) {
    return vector_place(quad / QUADS_OF_VECTOR) * VECTOR_SIZE + quad % QUADS_OF_VECTOR * 4u;
}

#define WEIGHTS_KEPT (VECTORS <= 2u)
#define EACH_VECTOR(vector)                                                                   \
    [[unroll]] for (uint vector = 0u; vector < VECTORS; vector++)
#define EACH_KEPT(quad, col)                                                                  \
    [[unroll]] for (uint quad = 0u, col = quad_col(0u); quad < QUADS; quad++, col = quad_col(quad))
#define EACH_OTHER(col)                                                                       \
    if (ROW_LANES == 0u)                                                                      \
        for (uint other = VECTORS * lanes + lane; other < row_vectors; other += lanes)        \
            [[unroll]] for (uint col = other * VECTOR_SIZE; col < (other + 1u) * VECTOR_SIZE; col += 4u)

// Returns the index of a kept vector, or that of the row's last one beyond its end.
uint kept_vector(uint vector) {
    const uint index = vector_place(vector);
    return ROWS_WHOLE ? index : min(index, row_vectors - 1u);
}

// Like within_row(), but with one comparison if no quad is cut off.
vec4 within_lane(uint col, vec4 four, float beyond) {
    if (ROWS_WHOLE) return four;
    return row_aligned ? (col < row_count ? four : vec4(beyond)) : within_row(col, four, beyond);
}

#define QUAD_FROM(quad_at, first, col, beyond) within_row(col, quad_at(first, col), beyond)
#if defined(DTYPE_F16) || defined(DTYPE_BF16)
#define VECTOR_FROM(quad_at, first, col, beyond)                                              \
    uvec4(pack_quad(QUAD_FROM(quad_at, first, col, beyond)),                                  \
        pack_quad(QUAD_FROM(quad_at, first, (col) + 4u, beyond)))
#else
#define VECTOR_FROM QUAD_FROM
#endif

// Returns the sum of the squared deviations of a quad from the mean.
float squares_about(uint col, vec4 four, float mean) {
    const vec4 centred = within_lane(col, four - mean, 0.0);
    return dot(centred, centred);
}

// Declares an input. Its keep_x(first, beyond) reads the row that starts at `first`, with `beyond` after its end. Its
// x_kept(quad) returns a kept quad; x_at(first, col) reads a quad.
#define ROW_INPUT(place, x)                                                                   \
    layout(binding = place) readonly buffer Elements_##x { T x[]; };                          \
    layout(binding = place) readonly buffer Quads_##x { VEC4T x##_quads[]; };                 \
    layout(binding = place) readonly buffer Vectors_##x { VECTOR x##_vectors[]; };            \
    QUAD_READER(x##_at, x, x##_quads)                                                         \
    VECTOR x##_registers[TURNS * VECTORS];                                                    \
    void keep_##x(uint first, float beyond) {                                                 \
        if (!row_aligned) {                                                                   \
            EACH_VECTOR(v) {                                                                  \
                const uint col = vector_place(v) * VECTOR_SIZE;                               \
                x##_registers[row_turn * VECTORS + v] = VECTOR_FROM(x##_at, first, col, beyond); \
            }                                                                                 \
            return;                                                                           \
        }                                                                                     \
        EACH_VECTOR(v)                                                                        \
            x##_registers[row_turn * VECTORS + v] =                                           \
                x##_vectors[first / VECTOR_SIZE + kept_vector(v)];                            \
        EACH_VECTOR(v)                                                                        \
            if (!ROWS_WHOLE && vector_place(v) >= row_vectors)                                 \
                x##_registers[row_turn * VECTORS + v] = filled(beyond);                       \
    }                                                                                         \
    vec4 x##_kept(uint quad) {                                                                \
        return quad_of(x##_registers[row_turn * VECTORS + quad / QUADS_OF_VECTOR], quad % QUADS_OF_VECTOR); \
    }

// Declares an input that all rows share. Its w_of(quad, col) returns the quad for a kept one. Few quads are kept, by
// start_w(), since rows wait for nothing else then; many are read when needed.
#define ROW_WEIGHTS(place, w)                                                                 \
    ROW_INPUT(place, w)                                                                       \
    void start_##w() {                                                                        \
        if (WEIGHTS_KEPT) keep_##w(0, 0.0);                                                   \
    }                                                                                         \
    vec4 w##_of(uint quad, uint col) {                                                        \
        if (WEIGHTS_KEPT)                                                                     \
            return quad_of(w##_registers[quad / QUADS_OF_VECTOR], quad % QUADS_OF_VECTOR);    \
        if (!row_aligned) return w##_at(0, col);                                              \
        return quad_of(w##_vectors[min(col / VECTOR_SIZE, row_vectors - 1u)], quad % QUADS_OF_VECTOR); \
    }

// Declares an output: put_y(quad, col, four) writes a kept quad, in order; put_y_at(first, col, four) writes any other.
#define ROW_OUTPUT(place, y)                                                                  \
    layout(binding = place) writeonly buffer Elements_##y { T y[]; };                         \
    layout(binding = place) writeonly buffer Quads_##y { VEC4T y##_quads[]; };                \
    layout(binding = place) writeonly buffer Vectors_##y { VECTOR y##_vectors[]; };           \
    QUAD_WRITER(put_##y##_at, y, y##_quads)                                                   \
    PUT_VECTOR(put_##y, put_##y##_at, y##_vectors)

#if defined(PACK_ROUNDS) && VECTOR_SIZE == 8
// The first quad of a vector waits for the second.
#define PUT_VECTOR(name, quad_writer, vectors)                                                \
    uvec2 name##_held;                                                                        \
    void name(uint quad, uint col, vec4 four) {                                               \
        if (!row_aligned)                                                                     \
            quad_writer(row_first, col, four);                                                \
        else if (quad % 2u == 0u)                                                             \
            name##_held = pack_quad(four);                                                    \
        else if (col < row_count)                                                             \
            vectors[(row_first + col) / VECTOR_SIZE] = uvec4(name##_held, pack_quad(four));   \
    }
#else
#define PUT_VECTOR(name, quad_writer, vectors)                                                \
    void name(uint quad, uint col, vec4 four) {                                               \
        quad_writer(row_first, col, four);                                                    \
    }
#endif

// Takes this row for the invocation. Beyond the last one, the last row is read and nothing is written.
void take_lane_row(uint row) {
    row_live = row < rows;
    row_index = min(row, rows - 1u);
    row_first = row_index * cols;
    row_count = row_live ? cols : 0u;
    row_vectors = (cols + VECTOR_SIZE - 1u) / VECTOR_SIZE;
}

// Compiles the function twice, so that it does not test the alignment of rows again. Once is enough for whole
// rows; the way for any other takes registers even when it is not run.
#define EACH_WAY(each_row)                                                                    \
    if (ROWS_WHOLE || cols % VECTOR_SIZE == 0u) {                                             \
        row_aligned = true;                                                                   \
        each_row();                                                                           \
    } else {                                                                                  \
        row_aligned = false;                                                                  \
        each_row();                                                                           \
    }

#define EACH_TURN(row)                                                                        \
    [[unroll]] for (uint turn = 0u; turn < TURNS; turn++) {                                   \
        row_turn = turn;                                                                      \
        take_lane_row(first + turn * together + lanes_row);                                   \
        row();                                                                                \
    }

// Calls start_rows() once, then for TURNS rows at a time keep_row() and each_row(). A workgroup takes every n-th
// stretch of rows, n being the number of workgroups.
#define ROWS_MAIN(start_rows, keep_row, each_row)                                             \
    void walk_rows() {                                                                        \
        const uint stretches = ((rows - 1u) / TURNS >> together_log2) + 1u;                   \
        const uint groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_NumWorkGroups.z;     \
        row_turn = 0u;                                                                        \
        take_lane_row(0u);                                                                    \
        start_rows();                                                                         \
        [[dont_unroll]] for (uint stretch = linear_group(); stretch < stretches; stretch += groups) { \
            const uint first = stretch * TURNS * together;                                    \
            EACH_TURN(keep_row)                                                               \
            EACH_TURN(each_row)                                                               \
        }                                                                                     \
    }                                                                                         \
    void main() {                                                                             \
        share_out(cols, VECTORS * VECTOR_SIZE);                                               \
        EACH_WAY(walk_rows)                                                                   \
    }

void no_weights() {}

#endif
