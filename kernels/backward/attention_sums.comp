// SPDX-License-Identifier: Apache-2.0
// Each invocation computes one element of a gradient of attention. For a query it is the sum over its keys
// (OVER_KEYS) of slopes times keys. For a key it is the sum, over the queries that share it, of slopes times
// queries or of weights times gradients. Neighbours have neighbouring elements of one row and the same
// factors.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "attention.glsl"

layout(binding = 0) readonly buffer Factors { float factors[]; };
layout(binding = 1) readonly buffer Rows { T rows[]; };
layout(binding = 2) writeonly buffer Sums { T sums[]; };

#ifdef OVER_KEYS
float sum_rows(uint row, uint col) {
    const uint end = end_of_keys(row % queries), first = kv_head_of(row / queries) * keys;
    float sum = 0.0;
    for (uint key = 0; key < end; key++)
        sum = fma(factors[row * keys + key], LOAD(rows[(first + key) * head_dim + col]), sum);
    return sum;
}
#else
float sum_rows(uint row, uint col) {
    const uint lines = heads / kv_heads * queries, first = row / keys * lines, key = row % keys;
    float sum = 0.0;
    for (uint line = first; line < first + lines; line++)
        sum = fma(factors[line * keys + key], LOAD(rows[line * head_dim + col]), sum);
    return sum;
}
#endif

void main() {
    const uint i = linear_invocation();
    if (i >= batch * COUNT * head_dim) return;
    sums[i] = STORE(sum_rows(i / head_dim, i % head_dim) * FACTOR);
}
