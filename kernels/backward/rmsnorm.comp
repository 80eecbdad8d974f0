// SPDX-License-Identifier: Apache-2.0
// Gradient of rmsnorm over rows, and sums for the gradient of its weights. A workgroup takes ROWS rows, one after the
// other, reads each once and keeps it in registers.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"

layout(push_constant) uniform Push { uint rows, cols; float eps; };
#include "row_pair.glsl"
#include "row_block.glsl"

layout(binding = 2) readonly buffer W { T w[]; };
layout(binding = 2) readonly buffer W4 { VEC4T w4[]; };
layout(binding = 3) writeonly buffer Dx { T dx[]; };
layout(binding = 3) writeonly buffer Dx4 { VEC4T dx4[]; };
layout(binding = 4) buffer PartialW { float partial_w[]; };
QUAD_READER(w_quad, w, w4)
QUAD_WRITER(put_dx, dx, dx4)
COLUMN_SUMS(dw, partial_w)

float scale, back;

// Writes a quad of dx and returns its contribution to dw.
vec4 emit(uint col, vec4 x_of, vec4 dy_of) {
    put_dx(row_first, col, scale * (dy_of * w_quad(0, col) - x_of * back));
    return dy_of * x_of * scale;
}

void take_scales() {
    float squares = 0.0, sum = 0.0;
    EACH_PAIR(col, x_of, dy_of, {
        squares += dot(x_of, x_of);
        sum += dot(dy_of * w_quad(0, col), x_of);
    })
    scale = inversesqrt(reduce_sum(squares) / float(cols) + eps);
    back = scale * scale * (reduce_sum(sum) / float(cols));
}

void main() {
    const uint first = linear_first(ROWS);
    if (first >= rows) return;
    EACH_KEPT(quad, col) dw[quad] = vec4(0.0);
    EACH_ROW(row) {
        keep_rows(row * cols, cols);
        take_scales();
        EACH_KEPT(quad, col) dw[quad] += emit(col, kept[quad], kept_dy[quad]);
        EACH_OTHER(col) {
            const vec4 dy_of = dy_quad(row_first, col);
            put_dw(col, emit(col, element4(col), dy_of), row == first);
        }
    }
    EACH_KEPT(quad, col) put_dw(col, dw[quad], true);
}
