// SPDX-License-Identifier: Apache-2.0
// Gradient of layernorm over short rows, and sums for the gradients of its scale and shift. A workgroup takes several
// rows at once, walks over many, and keeps the sums of its columns in registers.
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
ROW_INPUT(2, gamma)
ROW_OUTPUT(3, dx)
layout(binding = 4) buffer PartialGamma { float partial_gamma[]; };
layout(binding = 5) buffer PartialBeta { float partial_beta[]; };
COLUMN_SUMS(dgamma, partial_gamma)
COLUMN_SUMS(dbeta, partial_beta)

void start() {
    row_count = cols; // of the weights, whatever the row
    keep_gamma(0, 0.0);
    EACH_KEPT(quad, col) dgamma[quad] = dbeta[quad] = vec4(0.0);
    EACH_OTHER(col) {
        put_dgamma(col, vec4(0.0), true);
        put_dbeta(col, vec4(0.0), true);
    }
}

void each_row() {
    vec2 sums = vec2(0.0);
    keep_dy(row_first, 0.0);
    keep_x(row_first, 0.0);
    if (!row_live) EACH_VECTOR(v) dy_registers[v] = filled(0.0); // it adds nothing, and has a scale of 0
    EACH_KEPT(quad, col) sums += vec2(sum4(x_kept(quad)), dot(dy_kept(quad), gamma_kept(quad)));
    EACH_OTHER(col) sums += vec2(sum4(x_at(row_first, col)), dot(dy_at(row_first, col), gamma_at(0, col)));
    const vec2 means = reduce_sums(sums) * inverse; // of x, and of g = dy gamma

    sums = vec2(0.0);
#define ADD_CENTRED(col, x_of, dy_of, gamma_of)                                               \
    {                                                                                         \
        const vec4 centred = within_lane(col, x_of - means.x, 0.0);                           \
        sums += vec2(dot(centred, centred), dot(dy_of * gamma_of, centred));                  \
    }
    EACH_KEPT(quad, col) ADD_CENTRED(col, x_kept(quad), dy_kept(quad), gamma_kept(quad))
    EACH_OTHER(col) ADD_CENTRED(col, x_at(row_first, col), dy_at(row_first, col), gamma_at(0, col))
    sums = reduce_sums(sums) * inverse;
    const float scale = row_live ? inversesqrt(sums.x + eps) : 0.0, mean_gz = sums.y * scale;

    EACH_KEPT(quad, col) {
        const vec4 z = within_lane(col, (x_kept(quad) - means.x) * scale, 0.0), dy_of = dy_kept(quad);
        put_dx(quad, col, scale * (dy_of * gamma_kept(quad) - means.y - z * mean_gz));
        dgamma[quad] += dy_of * z;
        dbeta[quad] += dy_of;
    }
    EACH_OTHER(col) {
        const vec4 z = (x_at(row_first, col) - means.x) * scale, dy_of = dy_at(row_first, col);
        put_dx_at(row_first, col, scale * (dy_of * gamma_at(0, col) - means.y - z * mean_gz));
        put_dgamma(col, dy_of * z, false);
        put_dbeta(col, dy_of, false);
    }
}

void end() {
    fold_dgamma();
    fold_dbeta();
}

LANE_SUMS_MAIN(start, each_row, end)
