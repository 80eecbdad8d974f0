// SPDX-License-Identifier: Apache-2.0
// Scales a gradient in place, a block of WG_X * ITEMS elements per workgroup, to a norm of at most max_norm. With
// INVERSE_SCALE defined, it scales by inverse_scale instead, and writes for a later pass whether a block has a NaN or
// an infinity.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "row_quads.glsl"

layout(constant_id = 3) const uint ITEMS = 32;

layout(binding = 0) buffer Gradient { T g[]; };
layout(binding = 0) buffer Gradient4 { VEC4T g4[]; };
#ifdef INVERSE_SCALE
layout(binding = 1) writeonly buffer Broken { float broken[]; };
layout(push_constant) uniform Push { uint n; float inverse_scale; };
#else
layout(binding = 1) readonly buffer Norm { float norm[]; };
layout(push_constant) uniform Push { uint n; float max_norm; float eps; };
#endif

QUAD_READER(g_quad, g, g4)
QUAD_WRITER(put_quad, g, g4)

bool any_broken(vec4 four) {
    return any(isnan(four)) || any(isinf(four));
}

void main() {
    const uint block = WG_SIZE * ITEMS, first = linear_first(block);
    if (first >= n) return;
#ifdef INVERSE_SCALE
    const float factor = inverse_scale;
#else
    const float by = max_norm / (norm[0] + eps), factor = by >= 1.0 ? 1.0 : by; // NaN too
#endif
    bool found = false;
    take_row(first, min(n - first, block));
    for (uint col = 4 * gl_LocalInvocationIndex; col < row_count; col += 4 * WG_SIZE) {
        const vec4 four = g_quad(first, col);
        put_quad(first, col, four * factor);
        found = found || any_broken(four);
    }
#ifdef INVERSE_SCALE
    const float worst = reduce_max(found ? 1.0 : 0.0);
    if (gl_LocalInvocationIndex == 0) broken[linear_group()] = worst;
#endif
}
