// SPDX-License-Identifier: Apache-2.0
// Gradient of layernorm over rows, and sums for the gradients of its scale and shift. A workgroup takes ROWS rows, one
// after the other, reads each once and keeps it in registers.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"

layout(push_constant) uniform Push { uint rows, cols; float eps; };
#include "row_pair.glsl"
#include "row_moments.glsl"
#include "row_block.glsl"

layout(binding = 2) readonly buffer Gamma { T gamma[]; };
layout(binding = 2) readonly buffer Gamma4 { VEC4T gamma4[]; };
layout(binding = 3) writeonly buffer Dx { T dx[]; };
layout(binding = 3) writeonly buffer Dx4 { VEC4T dx4[]; };
layout(binding = 4) buffer PartialGamma { float partial_gamma[]; };
layout(binding = 5) buffer PartialBeta { float partial_beta[]; };
QUAD_READER(gamma_quad, gamma, gamma4)
QUAD_WRITER(put_dx, dx, dx4)
COLUMN_SUMS(dgamma, partial_gamma)
COLUMN_SUMS(dbeta, partial_beta)

float mean, scale, mean_g, mean_gz;

// Writes a quad of dx and returns its contribution to dgamma.
vec4 emit(uint col, vec4 x_of, vec4 dy_of) {
    const vec4 g = dy_of * gamma_quad(0, col), z = (x_of - mean) * scale;
    put_dx(row_first, col, scale * (g - mean_g - z * mean_gz));
    return dy_of * z;
}

void take_means() {
    float sum_g = 0.0, sum_gz = 0.0;
    mean = row_mean();
    scale = inversesqrt(squared_deviations(mean) / float(cols) + eps);
    EACH_PAIR(col, x_of, dy_of, {
        const vec4 g = dy_of * gamma_quad(0, col);
        sum_g += sum4(g);
        sum_gz += dot(g, (x_of - mean) * scale);
    })
    mean_g = reduce_sum(sum_g) / float(cols);
    mean_gz = reduce_sum(sum_gz) / float(cols);
}

void main() {
    const uint first = linear_first(ROWS);
    if (first >= rows) return;
    EACH_KEPT(quad, col) dgamma[quad] = dbeta[quad] = vec4(0.0);
    EACH_ROW(row) {
        keep_rows(row * cols, cols);
        take_means();
        EACH_KEPT(quad, col) {
            dgamma[quad] += emit(col, kept[quad], kept_dy[quad]);
            dbeta[quad] += kept_dy[quad];
        }
        EACH_OTHER(col) {
            const vec4 dy_of = dy_quad(row_first, col);
            put_dgamma(col, emit(col, element4(col), dy_of), row == first);
            put_dbeta(col, dy_of, row == first);
        }
    }
    EACH_KEPT(quad, col) {
        put_dgamma(col, dgamma[quad], true);
        put_dbeta(col, dbeta[quad], true);
    }
}
