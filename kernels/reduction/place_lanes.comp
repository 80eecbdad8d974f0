// SPDX-License-Identifier: Apache-2.0
// Place of an extreme of each short row, several rows per workgroup. The invocations of a row visit its vectors, then
// each other's best element.
#version 450
#extension GL_GOOGLE_include_directive : require
#define LANES
#include "types.glsl"
#include "grid.glsl"
#include "lanes.glsl"
#include "place.glsl"

layout(push_constant) uniform Push { uint rows, cols; };
#include "lane_rows.glsl"

ROW_INPUT(0, x)
layout(binding = 1) writeonly buffer Y { int y[]; };

// Behind the end of a row. An equal element of the row has a lower index.
#define LEAST ORDERED(NEGATIVE_INFINITY)

void visit4(vec4 four, uint col) {
    [[unroll]] for (uint j = 0; j < 4; j++) visit(four[j], col + j);
}

void keep_row() {
    keep_x(row_first, LEAST);
}

void place_row() {
    best = NEGATIVE_INFINITY;
    place = NOWHERE;
    EACH_KEPT(quad, col) visit4(x_kept(quad), col);
    EACH_OTHER(col) visit4(within_lane(col, x_at(row_first, col), LEAST), col);
    reduce_lanes();
    if (lane == 0 && row_live) y[row_index] = found(0);
}

ROWS_MAIN(no_weights, keep_row, place_row)
