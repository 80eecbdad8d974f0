// SPDX-License-Identifier: Apache-2.0
// Buffers of a norm by mean and variance over rows, with scale and shift for each column.
#include "row_quads.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) readonly buffer Gamma { T gamma[]; };
layout(binding = 1) readonly buffer Gamma4 { VEC4T gamma4[]; };
layout(binding = 2) readonly buffer Beta { T beta[]; };
layout(binding = 2) readonly buffer Beta4 { VEC4T beta4[]; };
layout(binding = 3) writeonly buffer Y { T y[]; };
layout(binding = 3) writeonly buffer Y4 { VEC4T y4[]; };
layout(push_constant) uniform Push { uint rows, cols; float eps; };
QUAD_READER(x_quad, x, x4)
QUAD_READER(gamma_quad, gamma, gamma4)
QUAD_READER(beta_quad, beta, beta4)
QUAD_WRITER(put_quad, y, y4)

vec4 element4(uint col) {
    return x_quad(row_first, col);
}

void emit(uint col, vec4 centred, float scale) {
    put_quad(row_first, col, centred * scale * gamma_quad(0, col) + beta_quad(0, col));
}
