// SPDX-License-Identifier: Apache-2.0
// Gradient of rmsnorm over short rows, and sums for the gradient of its weights. A workgroup takes several rows at
// once, walks over many, and keeps the sums of its columns in registers.
#version 450
#extension GL_GOOGLE_include_directive : require
#define LANES
#include "types.glsl"
#include "grid.glsl"
#include "lanes.glsl"

layout(push_constant) uniform Push { uint rows, cols; float eps, inverse; };
#include "lane_rows.glsl"
#include "lane_sums.glsl"

ROW_INPUT(0, dy)
ROW_INPUT(1, x)
ROW_INPUT(2, w)
ROW_OUTPUT(3, dx)
layout(binding = 4) buffer PartialW { float partial_w[]; };
COLUMN_SUMS(dw, partial_w)

void start() {
    row_count = cols; // of the weights, whatever the row
    keep_w(0, 0.0);
    EACH_KEPT(quad, col) dw[quad] = vec4(0.0);
    EACH_OTHER(col) put_dw(col, vec4(0.0), true);
}

#define TERMS(x_of, dy_of, w_of) vec2(dot(x_of, x_of), dot(dy_of * w_of, x_of))

void each_row() {
    vec2 sums = vec2(0.0);
    keep_dy(row_first, 0.0);
    keep_x(row_first, 0.0);
    if (!row_live) EACH_VECTOR(v) dy_registers[v] = filled(0.0); // it adds nothing, and has a scale of 0
    EACH_KEPT(quad, col) sums += TERMS(x_kept(quad), dy_kept(quad), w_kept(quad));
    EACH_OTHER(col) sums += TERMS(x_at(row_first, col), dy_at(row_first, col), w_at(0, col));
    sums = reduce_sums(sums) * inverse;
    const float scale = row_live ? inversesqrt(sums.x + eps) : 0.0, back = scale * scale * sums.y;

    EACH_KEPT(quad, col) {
        const vec4 x_of = x_kept(quad), dy_of = dy_kept(quad);
        put_dx(quad, col, scale * (dy_of * w_kept(quad) - x_of * back));
        dw[quad] += dy_of * x_of * scale;
    }
    EACH_OTHER(col) {
        const vec4 x_of = x_at(row_first, col), dy_of = dy_at(row_first, col);
        put_dx_at(row_first, col, scale * (dy_of * w_at(0, col) - x_of * back));
        put_dw(col, dy_of * x_of * scale, false);
    }
}

void end() {
    fold_dw();
}

LANE_SUMS_MAIN(start, each_row, end)
