// SPDX-License-Identifier: Apache-2.0
// Weights of attention and slopes of its scores, one workgroup per query. An invocation takes the
// products of every WG_SIZE-th key. It reads its own results again once maximum and sums are
// known.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "attention.glsl"

layout(binding = 0) readonly buffer Do { T gradient[]; };
layout(binding = 1) readonly buffer Q { T q[]; };
layout(binding = 2) readonly buffer K { T k[]; };
layout(binding = 3) readonly buffer V { T v[]; };
layout(binding = 4) buffer Weights { float weights[]; };
layout(binding = 5) buffer Slopes { float slopes[]; };

#define EACH_KEY(key, end) for (uint key = gl_LocalInvocationIndex; key < end; key += WG_SIZE)

// Writes scores to `weights` and dp = gradient . value to `slopes`. Returns the largest score.
float take_products(uint row, uint end) {
    const uint first_key = kv_head_of(row / queries) * keys;
    float most = NEGATIVE_INFINITY;
    EACH_KEY(key, end) {
        const uint other = (first_key + key) * head_dim;
        float score = 0.0, dp = 0.0;
        for (uint i = 0; i < head_dim; i++) {
            score = fma(LOAD(q[row * head_dim + i]), LOAD(k[other + i]), score);
            dp = fma(LOAD(gradient[row * head_dim + i]), LOAD(v[other + i]), dp);
        }
        weights[row * keys + key] = score * scale;
        slopes[row * keys + key] = dp;
        most = larger(most, score * scale);
    }
    return reduce_max(most);
}

void main() {
    const uint row = linear_group(), first = row * keys;
    if (row >= batch * heads * queries) return;
    const uint end = end_of_keys(row % queries);
    const float most = take_products(row, end);
    float sum = 0.0, mean = 0.0;
    EACH_KEY(key, end) {
        const float weight = exp(weights[first + key] - most);
        weights[first + key] = weight;
        sum += weight;
        mean += weight * slopes[first + key];
    }
    const float inverse = 1.0 / reduce_sum(sum);
    mean = reduce_sum(mean) * inverse;
    EACH_KEY(key, keys) {
        const float weight = key < end ? weights[first + key] * inverse : 0.0;
        weights[first + key] = weight;
        slopes[first + key] = key < end ? weight * (slopes[first + key] - mean) : 0.0;
    }
}
