// SPDX-License-Identifier: Apache-2.0
// The left factor of a convolution as a product of matrices: `channels` rows of `terms` weights for
// each group, as they lie in memory.
#ifndef VKASSAY_WEIGHTS
#define VKASSAY_WEIGHTS

layout(binding = 1) readonly buffer Weight { T weight[]; };

uint group, channels, terms, first_row;

void start_weights(uint of_group, uint of_channels, uint of_terms) {
    group = of_group;
    channels = of_channels;
    terms = of_terms;
    first_row = gl_WorkGroupID.y * QUADS_M * 4;
}

vec4 fetch_a(uint load, uint quad, uint at) {
    vec4 value = vec4(0.0);
    if (at >= terms) return value;
    [[unroll]] for (uint e = 0; e < 4; e++) {
        const uint row = min(first_row + e * QUADS_M + quad, channels - 1);
        value[e] = LOAD(weight[(group * channels + row) * terms + at]);
    }
    return value;
}

#endif
