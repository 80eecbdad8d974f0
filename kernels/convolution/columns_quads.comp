// SPDX-License-Identifier: Apache-2.0
// The matrix of windows. Each invocation takes four neighbouring columns (places of one line) of ITEMS rows
// (taps), and writes them as vectors. If lines are not a multiple of four, it takes four columns a workgroup's
// width apart. Taps outside are read at the picture's edge and not kept: loads without a condition are under way
// all at once.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "workgroup.glsl"
#include "digits.glsl"

layout(constant_id = 6) const uint ITEMS = 4;

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Columns { T columns[]; };
layout(binding = 1) writeonly buffer Columns4 { VEC4T columns4[]; };
layout(push_constant) uniform Push { uint n, c, h, w, kh, kw, stride, pad, dilation, oh, ow; };

// Returns the tap at line i and column j of a plane.
float tap_at(uint plane, uint i, uint j) {
    const float value = LOAD(x[(plane * h + min(i, h - 1)) * w + min(j, w - 1)]);
    return i < h && j < w ? value : 0.0;
}

void main() {
    const uint rows = c * kh * kw, cols = oh * ow, row = gl_WorkGroupID.y * ITEMS;
    const uint taps = min(rows - row, ITEMS), first = gl_WorkGroupID.z * rows + row;
    const uvec3 next = uvec3(0, 0, 1), first_tap = digits_of(row, kh, kw);
    uvec3 tap = first_tap;
    if (ow % 4 == 0) {
        const uint quad = gl_GlobalInvocationID.x;
        if (quad >= cols / 4) return;
        const uint line = quad * 4 / ow, top = line * stride - pad;
        const uint left = (quad * 4 - line * ow) * stride - pad;
        vec4 four[ITEMS];
        [[unroll]] for (uint item = 0; item < ITEMS; item++, tap = count_on(tap, next, kh, kw)) {
            const uint plane = gl_WorkGroupID.z * c + min(tap.x, c - 1);
            const uint i = top + tap.y * dilation, j = left + tap.z * dilation;
            [[unroll]] for (uint k = 0; k < 4; k++)
                four[item][k] = tap_at(plane, i, j + k * stride);
        }
        [[unroll]] for (uint item = 0; item < ITEMS; item++)
            if (item < taps) columns4[(first + item) * (cols / 4) + quad] = STORE4(four[item]);
        return;
    }
    uint at = gl_WorkGroupID.x * WG_X * 4 + gl_LocalInvocationID.x;
    [[dont_unroll]] for (uint k = 0; k < 4 && at < cols; k++, at += WG_X) {
        const uint top = at / ow * stride - pad, left = at % ow * stride - pad;
        tap = first_tap;
        [[dont_unroll]] for (uint item = 0; item < taps; item++, tap = count_on(tap, next, kh, kw)) {
            const uint plane = gl_WorkGroupID.z * c + tap.x;
            const float value = tap_at(plane, top + tap.y * dilation, left + tap.z * dilation);
            columns[(first + item) * cols + at] = STORE(value);
        }
    }
}
