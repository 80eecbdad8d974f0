// SPDX-License-Identifier: Apache-2.0
// Softmax of a query's scores, in place, one workgroup per row: the second of the three kernels. A row without scores
// is not touched, because the third kernel reads none of it.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"
#include "heads.glsl"
#include "reduce.glsl"

layout(binding = 0) buffer Scores { float s[]; };

void main() {
    const uint row = gl_WorkGroupID.x, start = (q_head() * queries + row) * keys;
    const uint end = end_of_keys(row), lane = gl_LocalInvocationIndex;
    float most = LEAST, sum = 0.0;
    for (uint key = lane; key < end; key += WG_SIZE) most = larger(most, s[start + key]);
    most = reduce_max(most);
    for (uint key = lane; key < end; key += WG_SIZE) sum += exp(s[start + key] - most);
    sum = reduce_sum(sum);
    for (uint key = lane; key < end; key += WG_SIZE)
        s[start + key] = exp(s[start + key] - most) / sum;
}
