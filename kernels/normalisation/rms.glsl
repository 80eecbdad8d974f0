// SPDX-License-Identifier: Apache-2.0
// Buffers of a root mean square norm over rows, and its elements: x, or x + res if RESIDUAL is defined. With RESIDUAL
// the sum is written too.
#include "row_quads.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
#ifdef RESIDUAL
layout(binding = 1) readonly buffer Residual { T res[]; };
layout(binding = 1) readonly buffer Residual4 { VEC4T res4[]; };
layout(binding = 2) readonly buffer W { T w[]; };
layout(binding = 2) readonly buffer W4 { VEC4T w4[]; };
layout(binding = 3) writeonly buffer R { T r[]; };
layout(binding = 3) writeonly buffer R4 { VEC4T r4[]; };
layout(binding = 4) writeonly buffer Y { T y[]; };
layout(binding = 4) writeonly buffer Y4 { VEC4T y4[]; };
QUAD_READER(residual_quad, res, res4)
QUAD_WRITER(put_sum, r, r4)
#else
layout(binding = 1) readonly buffer W { T w[]; };
layout(binding = 1) readonly buffer W4 { VEC4T w4[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };
layout(binding = 2) writeonly buffer Y4 { VEC4T y4[]; };
#endif
QUAD_READER(x_quad, x, x4)
QUAD_READER(w_quad, w, w4)
QUAD_WRITER(put_quad, y, y4)
layout(push_constant) uniform Push { uint rows, cols; float eps; };

vec4 element4(uint col) {
#ifdef RESIDUAL
    return x_quad(row_first, col) + residual_quad(row_first, col);
#else
    return x_quad(row_first, col);
#endif
}

void emit(uint col, vec4 four, float scale) {
#ifdef RESIDUAL
    put_sum(row_first, col, four);
#endif
    put_quad(row_first, col, four * scale * w_quad(0u, col));
}
