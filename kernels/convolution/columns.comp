// SPDX-License-Identifier: Apache-2.0
// The matrix of windows: one invocation a column (an output's place) of ITEMS rows (taps), so that
// neighbours read and write neighbours. TO_F32 defined: it is f32 whatever the picture is.
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
    uint row = gl_WorkGroupID.y * ITEMS;
    uvec3 tap = digits_of(row, kh, kw);
    [[unroll]] for (uint item = 0; item < ITEMS; item++, row++, tap = count_on(tap, next, kh, kw)) {
        if (row >= rows) return;
        const uint i = top + tap.y * dilation, j = left + tap.z * dilation;
        float value = 0.0;
        if (i < h && j < w) value = LOAD(x[((gl_WorkGroupID.z * c + tap.x) * h + i) * w + j]);
        columns[(gl_WorkGroupID.z * rows + row) * cols + at] = TO_COLUMN(value);
    }
}
