// SPDX-License-Identifier: Apache-2.0
// The left factor of a convolution as a product of matrices: `channels` rows of `terms` weights for each group, in
// memory order.
#ifndef VKASSAY_WEIGHTS
#define VKASSAY_WEIGHTS

layout(binding = 1) readonly buffer Weight { T weight[]; };

uint group, channels, terms, first_row;
uint row_start[LOADS_A * 4]; // for each element of a load: the start of its row of weights

void start_weights(uint of_group, uint of_channels, uint of_terms) {
    group = of_group;
    channels = of_channels;
    terms = of_terms;
    first_row = gl_WorkGroupID.y * QUADS_M * 4;
    [[unroll]] for (uint i = 0; i < LOADS_A * 4; i++) {
        const uint row = first_row + i % 4 * QUADS_M + quad_of_a(i / 4);
        row_start[i] = (group * channels + min(row, channels - 1)) * terms;
    }
}

vec4 fetch_a(uint load, uint quad, uint at) {
    vec4 value = vec4(0.0);
    if (at >= terms) return value;
    [[unroll]] for (uint e = 0; e < 4; e++) value[e] = LOAD(weight[row_start[load * 4 + e] + at]);
    return value;
}

#endif
