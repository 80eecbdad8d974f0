// SPDX-License-Identifier: Apache-2.0
// Reduces one row per subgroup, without shared memory or barriers. The subgroups of a workgroup share ROWS rows among
// themselves, whatever their size.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "kinds.glsl"

layout(constant_id = 3) const uint ROWS = 8;

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, cols; };
#include "walk.glsl"

void main() {
    const uint first = linear_first(ROWS);
    if (first >= rows) return;
    const uint end = first + min(rows - first, ROWS);
    for (uint row = first + gl_SubgroupID; row < end; row += gl_NumSubgroups) {
        visited = START;
        walk(row * cols, row * cols + cols, gl_SubgroupInvocationID, SUBGROUP_WIDTH);
        const float result = OVER_SUBGROUP(visited);
        if (subgroupElect()) y[row] = STORE(RESULT(result, cols));
    }
}
