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

// Takes the best of the kept elements. The value is known before its place is looked for, which takes fewer
// instructions. Each component of a vector has its own chain of them.
void visit_kept() {
    vec4 most = vec4(NEGATIVE_INFINITY);
    bvec4 nans = bvec4(false);
    EACH_KEPT(quad, col) {
        const vec4 four = x_kept(quad);
        most = max(most, ORDERED(four));
        [[unroll]] for (uint j = 0; j < 4; j++) nans[j] = nans[j] || isnan(four[j]);
    }
    best = max(max(most.x, most.y), max(most.z, most.w));
    uvec4 found_at = uvec4(NOWHERE);
    if (any(nans)) {
        EACH_KEPT(quad, col)
            [[unroll]] for (uint j = 0; j < 4; j++)
                if (isnan(x_kept(quad)[j])) {
                    found_at[j] = min(found_at[j], col + j);
                    best = x_kept(quad)[j];
                }
    } else {
        EACH_KEPT(quad, col) {
            const vec4 four = ORDERED(x_kept(quad));
            [[unroll]] for (uint j = 0; j < 4; j++)
                if (four[j] == best) found_at[j] = min(found_at[j], col + j);
        }
    }
    place = min(min(found_at.x, found_at.y), min(found_at.z, found_at.w));
}

void visit4(vec4 four, uint col) {
    [[unroll]] for (uint j = 0; j < 4; j++) visit(four[j], col + j);
}

void keep_row() {
    keep_x(row_first, LEAST);
}

void place_row() {
    visit_kept();
    EACH_OTHER(col) visit4(within_lane(col, x_at(row_first, col), LEAST), col);
    reduce_lanes();
    if (lane == 0 && row_live) y[row_index] = found(0);
}

ROWS_MAIN(no_weights, keep_row, place_row)
