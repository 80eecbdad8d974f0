// SPDX-License-Identifier: Apache-2.0
// Running sums of rows, several per workgroup (lane_rows.glsl). Invocations keep vectors of a tile of the row in
// registers. The sums of neighbours' vectors are scanned by shuffles. In a row of several subgroups, each has a block
// of the tile, and their sums go through shared memory. The sum is carried from tile to tile.
//
// With PART defined, a row is cut into parts of TILES tiles, one per workgroup. The first pass (PART 1) sums up each
// part. In the second, a workgroup adds the sums of the parts before its own. Its last part comes first, because
// the caches still hold the data that the first pass read last.
#version 450
#extension GL_GOOGLE_include_directive : require
#define LANES
#define ROW_BLOCKS
#include "types.glsl"
#include "grid.glsl"
#include "lanes.glsl"
#include "reduce.glsl"

layout(push_constant) uniform Push { uint rows, cols; };
#include "lane_rows.glsl"

ROW_INPUT(0, x)
#if !defined(PART)
ROW_OUTPUT(1, y)
#elif PART == 1
layout(binding = 1) writeonly buffer Sums { float sums[]; };
#else
layout(binding = 1) readonly buffer Sums { float sums[]; };
ROW_OUTPUT(2, y)
#endif

// Takes the tile at column `at` of the current row. Columns from `end` on are zero.
void take_tile(uint at, uint end) {
    row_first = row_index * cols + at;
    row_count = row_live ? end - at : 0u;
    row_vectors = (end - at + VECTOR_SIZE - 1u) / VECTOR_SIZE;
    keep_x(row_first, 0.0);
}

float vector_sum(uint vector) {
    float sum = sum4(x_kept(vector * QUADS_OF_VECTOR));
    if (QUADS_OF_VECTOR == 2u) sum += sum4(x_kept(vector * QUADS_OF_VECTOR + 1u));
    return sum;
}

#if !defined(PART) || PART == 2
shared float part_sums[WG_SIZE];

// Returns the sum of the values before this invocation among `width` neighbours; `total` is the sum of all.
float sum_before(float value, uint width, out float total) {
    const uint id = gl_SubgroupInvocationID, place = id & (width - 1u);
    EACH_SHUFFLE(step) {
        const float other = subgroupShuffle(value, id - (place < step ? 0u : step));
        value += place < step ? 0.0 : other;
    }
    total = subgroupShuffle(value, id | (width - 1u));
    const float before = subgroupShuffle(value, id - min(place, 1u));
    return place == 0u ? 0.0 : before;
}

// Writes the running sums of the kept tile. Returns `carried`, the sum before it, with its sum added.
float scan_tile(float carried) {
    const uint width = min(lanes, SUBGROUP_WIDTH);
    float starts[VECTORS], sum = 0.0, total;
    EACH_VECTOR(v) {
        starts[v] = sum + sum_before(vector_sum(v), width, total);
        sum += total;
    }
    if (lanes <= SUBGROUP_WIDTH) {
        EACH_VECTOR(v) starts[v] += carried;
        carried += sum;
    } else {
        NEXT_HALF();
        if (subgroupElect()) part_sums[lanes_half + gl_SubgroupID] = sum;
        barrier();
        const uint first = LANES_FIRST_PART;
        for (uint part = 0u; part < LANES_PARTS; part++) {
            if (first + part == gl_SubgroupID) EACH_VECTOR(v) starts[v] += carried;
            carried += part_sums[lanes_half + first + part];
        }
    }
    EACH_KEPT(quad, col) {
        const vec4 four = x_kept(quad);
        const float two = four.x + four.y, three = two + four.z;
        put_y(quad, col, vec4(four.x, two, three, three + four.w) + starts[quad / QUADS_OF_VECTOR]);
        starts[quad / QUADS_OF_VECTOR] += three + four.w;
    }
    return carried;
}
#endif

#ifndef PART
void keep_row() {
    take_tile(0u, cols);
}

void scan_row() {
    const uint tile = lanes * VECTORS * VECTOR_SIZE;
    float carried = scan_tile(0.0);
    for (uint at = tile; at < cols; at += tile) {
        take_tile(at, cols);
        carried = scan_tile(carried);
    }
}

ROWS_MAIN(no_weights, keep_row, scan_row)
#else
layout(constant_id = 7) const uint TILES = 1;

void walk_part() {
    const uint tile = WG_SIZE * VECTORS * VECTOR_SIZE, parts = (cols - 1u) / (tile * TILES) + 1u;
#if PART == 1
    const uvec2 place = gl_WorkGroupID.xy;
#else
    const uvec2 place = gl_NumWorkGroups.xy - 1u - gl_WorkGroupID.xy;
#endif
    const uint part = place.x, first = part * tile * TILES, end = first + min(cols - first, tile * TILES);
    row_index = place.y;
    row_live = true;
    row_turn = 0u;
    float sum = 0.0;
#if PART == 1
    [[dont_unroll]] for (uint at = first; at < end; at += tile) {
        take_tile(at, end);
        EACH_VECTOR(v) sum += vector_sum(v);
    }
    sum = reduce_sum(sum);
    if (lane == 0u) sums[row_index * parts + part] = sum;
#else
    for (uint i = lane; i < part; i += WG_SIZE) sum += sums[row_index * parts + i];
    sum = reduce_sum(sum);
    [[dont_unroll]] for (uint at = first; at < end; at += tile) {
        take_tile(at, end);
        sum = scan_tile(sum);
    }
#endif
}

void main() {
    share_out(~0u, VECTORS * VECTOR_SIZE);
    EACH_WAY(walk_part)
}
#endif
