// SPDX-License-Identifier: Apache-2.0
// Of each query's scores the largest, 1 / the sum of exp(score - largest), and the mean of dp by the weights. An
// invocation follows its own keys through all blocks; a query's invocations join at the end.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "attention.glsl"
#include "attention_tiles.glsl"

layout(binding = 4) writeonly buffer Statistics { vec4 statistics[]; };

#define LEAST uintBitsToFloat(0xff7fffffu) // exp(-inf - LEAST) is 0, not NaN

// Largest score, sum of exp(score - largest), and sum of that times dp.
vec3 joined(vec3 a, vec3 b) {
    const float most = max(a.x, b.x);
    return vec3(most, a.yz * exp(a.x - most) + b.yz * exp(b.x - most));
}

vec3 of_row[ROWS];

void follow(uint first_key) {
    EACH_ROW(r) {
        float most = of_row[r].x;
        EACH_COL(c) {
            const uint key = first_key + c * WG_X + gl_LocalInvocationID.x;
            scores[r][c] = sees(own_row(r), key) ? scores[r][c] * scale : uintBitsToFloat(0xff800000u);
            most = max(most, scores[r][c]);
        }
        vec2 sums = of_row[r].yz * exp(of_row[r].x - most);
        EACH_COL(c) sums += exp(scores[r][c] - most) * vec2(1.0, dp[r][c]);
        of_row[r] = vec3(most, sums);
    }
}

void main() {
    own_head = gl_WorkGroupID.y;
    own_first = gl_WorkGroupID.x * OWN;
    own_count = queries;
    other_count = keys;
    EACH_ROW(r) of_row[r] = vec3(LEAST, 0.0, 0.0);
    const uint end = end_of_keys(min(own_first + OWN, queries) - 1);
    for (uint key = 0; key < end; key += OTHER) {
        make_products(kv_head_of(own_head), key);
        follow(key);
    }
    EACH_ROW(r) {
        barrier();
        tile[gl_LocalInvocationIndex].xyz = of_row[r];
        barrier();
        if (gl_LocalInvocationID.x > 0 || own_row(r) >= queries) continue;
        vec3 all = of_row[r];
        for (uint i = 1; i < WG_X; i++) all = joined(all, tile[gl_LocalInvocationIndex + i].xyz);
        const float inverse = all.y > 0.0 ? 1.0 / all.y : 0.0;
        statistics[own_head * queries + own_row(r)] = vec4(all.x, inverse, all.z * inverse, 0.0);
    }
}
