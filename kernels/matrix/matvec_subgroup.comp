// SPDX-License-Identifier: Apache-2.0
// Takes ROWS rows per subgroup, without shared memory or barriers. The subgroups of a workgroup share ROWS * TASKS rows
// among themselves, whatever their size.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"

layout(constant_id = 5) const uint TASKS = 8;

layout(binding = 2) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, cols; };
#include "row_dot.glsl"

void main() {
    const uint first = linear_first(ROWS * TASKS);
    if (first >= rows) return;
    const uint end = first + min(rows - first, ROWS * TASKS);
    for (uint row = first + gl_SubgroupID * ROWS; row < end; row += gl_NumSubgroups * ROWS) {
        dot_rows(row, 0, gl_SubgroupInvocationID, SUBGROUP_WIDTH, 0, 1);
        [[unroll]] for (uint r = 0; r < ROWS; r++) {
            const float sum = subgroupAdd(row_sums[r]);
            if (subgroupElect() && row + r < end) y[row + r] = STORE(sum);
        }
    }
}
