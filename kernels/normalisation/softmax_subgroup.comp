// SPDX-License-Identifier: Apache-2.0
// Online softmax, one row per subgroup, without shared memory or barriers. The subgroups of a workgroup share ROWS rows
// among themselves, whatever their size.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "logits.glsl"
#include "online.glsl"

layout(constant_id = 3) const uint ROWS = 8;

void softmax_row(uint row) {
    online_most = LEAST;
    online_sum = 0.0;
    for (uint col = gl_SubgroupInvocationID; col < cols; col += SUBGROUP_WIDTH)
        online_add(logit(row, col));
    const float most = subgroupMax(online_most);
    const float inverse = INVERSE(subgroupAdd(online_sum_at(most)));
    for (uint col = gl_SubgroupInvocationID; col < cols; col += SUBGROUP_WIDTH)
        y[row * cols + col] = STORE(exp(logit(row, col) - most) * inverse);
}

void main() {
    const uint first = linear_first(ROWS);
    if (first >= rows) return;
    const uint end = first + min(rows - first, ROWS);
    for (uint row = first + gl_SubgroupID; row < end; row += gl_NumSubgroups) softmax_row(row);
}
