// SPDX-License-Identifier: Apache-2.0
// Joins the results that the parts of the keys left for one query: each part's sums are scaled to the largest
// maximum.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"
#include "heads.glsl"
#include "reduce.glsl"

layout(binding = 0) readonly buffer Parts { float parts[]; };
layout(binding = 1) readonly buffer Stats { vec2 stats[]; };
layout(binding = 2) writeonly buffer O { T o[]; };

shared float factors[SPLITS];

void main() {
    const uint query = q_head() * queries + gl_WorkGroupID.x, lane = gl_LocalInvocationIndex;
    float most = LEAST, divisor = 0.0;
    for (uint i = lane; i < SPLITS; i += WG_SIZE) most = larger(most, stats[query * SPLITS + i].x);
    most = reduce_max(most);
    for (uint i = lane; i < SPLITS; i += WG_SIZE) {
        const vec2 part = stats[query * SPLITS + i];
        factors[i] = exp(part.x - most);
        divisor += factors[i] * part.y;
    }
    divisor = reduce_sum(divisor);
    for (uint column = lane; column < head_dim; column += WG_SIZE) {
        float sum = 0.0;
        for (uint i = 0; i < SPLITS; i++)
            sum = fma(factors[i], parts[(query * SPLITS + i) * head_dim + column], sum);
        o[query * head_dim + column] = STORE(divisor > 0.0 ? sum / divisor : 0.0);
    }
}
