// SPDX-License-Identifier: Apache-2.0
// Cuts a row into SPLITS parts, one workgroup each, for matrices with fewer rows than the device can hold workgroups.
// Then matvec_join.comp adds up the parts.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"

layout(binding = 2) writeonly buffer Parts { float parts[]; };
layout(push_constant) uniform Push { uint rows, cols, splits; };
#include "row_dot.glsl"

void main() {
    const uint group = linear_group(), row = group / splits;
    if (row >= rows) return;
    dot_rows(row, 0, gl_LocalInvocationIndex, WG_SIZE, group % splits, splits);
    const float sum = reduce_sum(row_sums[0]);
    if (gl_LocalInvocationIndex == 0) parts[group] = sum;
}
