// SPDX-License-Identifier: Apache-2.0
// The matrix of windows. Each invocation takes one column (an output's place) of ITEMS rows (taps), so that
// neighbours read and write neighbours. Taps outside are read at the picture's edge and not kept: loads
// without a condition are under way all at once. With TO_F32 defined the matrix is f32, whatever the picture
// is.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "workgroup.glsl"
#include "digits.glsl"

layout(constant_id = 6) const uint ITEMS = 4;

#ifdef TO_F32
#define COLUMN_T float
#define TO_COLUMN(x) (x)
#else
#define COLUMN_T T
#define TO_COLUMN(x) STORE(x)
#endif

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Columns { COLUMN_T columns[]; };
layout(push_constant) uniform Push { uint n, c, h, w, kh, kw, stride, pad, dilation, oh, ow; };

void main() {
    const uint at = gl_WorkGroupID.x * WG_SIZE + gl_LocalInvocationIndex;
    const uint rows = c * kh * kw, cols = oh * ow;
    if (at >= cols) return;
    const uint top = at / ow * stride - pad, left = at % ow * stride - pad;
    const uvec3 next = uvec3(0, 0, 1);
    const uint row = gl_WorkGroupID.y * ITEMS;
    uvec3 tap = digits_of(row, kh, kw);
    float value[ITEMS];
    bool inside[ITEMS];
    [[unroll]] for (uint item = 0; item < ITEMS; item++, tap = count_on(tap, next, kh, kw)) {
        const uint i = top + tap.y * dilation, j = left + tap.z * dilation;
        const uint plane = gl_WorkGroupID.z * c + min(tap.x, c - 1);
        value[item] = LOAD(x[(plane * h + min(i, h - 1)) * w + min(j, w - 1)]);
        inside[item] = i < h && j < w;
    }
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        if (row + item >= rows) return;
        const uint to = (gl_WorkGroupID.z * rows + row + item) * cols + at;
        columns[to] = TO_COLUMN(inside[item] ? value[item] : 0.0);
    }
}
