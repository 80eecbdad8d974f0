// SPDX-License-Identifier: Apache-2.0
// Attention of few queries on many keys. The keys are cut in SPLITS parts. A workgroup takes one part for one query, in
// WG_Y lines of WG_X neighbours that share a key.
//
// A part is taken in chunks of BLOCK keys: their scores go to shared memory, then their maximum is found, then their
// weights. Then each line adds up its keys' values, WG_X steps of WIDTH columns side by side. The part's outputs,
// maximum and divisor are left for the joining pass.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "wide.glsl"
#include "controls.glsl"
#include "heads.glsl"
#include "reduce.glsl"
#include "tree.glsl"

layout(constant_id = 3) const uint BLOCK = 128;

layout(binding = 0) readonly buffer Q { WIDE q[]; };
layout(binding = 1) readonly buffer K { WIDE k[]; };
layout(binding = 2) readonly buffer V { WIDE v[]; };
layout(binding = 3) writeonly buffer Parts { FLOATS parts[]; };
layout(binding = 4) writeonly buffer Stats { vec2 stats[]; }; // maximum and divisor

const uint PARTS = MOST_COLUMNS / (WG_X * WIDTH); // parts of the outputs that an invocation holds

shared float products[BLOCK * WG_X];
shared float weights[BLOCK];

float across(FLOATS four) {
#if WIDTH == 4
    return four.x + four.y + (four.z + four.w);
#else
    return four;
#endif
}

// Computes each neighbour's share of each key's product. They wait for each other only at the end.
void make_products(uint query, uint first, uint end) {
    const uint lane = gl_LocalInvocationID.x, steps = head_dim / WIDTH;
    for (uint key = gl_LocalInvocationID.y; key < BLOCK && first + key < end; key += WG_Y) {
        FLOATS sums = FLOATS(0.0);
        for (uint i = lane; i < steps; i += WG_X)
            sums = fma(LOAD_WIDE(q[query * steps + i]),
                LOAD_WIDE(k[(kv_head() * keys + first + key) * steps + i]), sums);
        products[key * WG_X + lane] = across(sums);
    }
    barrier();
}

// Makes the chunk's scores and returns the largest of this invocation's own.
float make_scores(uint row, uint first, uint end) {
    float most = LEAST;
    for (uint key = gl_LocalInvocationIndex; key < BLOCK; key += WG_SIZE) {
        float sum = 0.0;
        const bool seen = first + key < end;
        for (uint i = 0; seen && i < WG_X; i++) sum += products[key * WG_X + (key + i) % WG_X];
        weights[key] = seen ? logit(sum, row, first + key) : NEGATIVE_INFINITY;
        most = larger(most, weights[key]);
    }
    return most;
}

float make_weights(float most) {
    float sum = 0.0;
    for (uint key = gl_LocalInvocationIndex; key < BLOCK; key += WG_SIZE)
        sum += weights[key] = exp(weights[key] - most);
    return sum;
}

void main() {
    const uint row = gl_WorkGroupID.z, query = q_head() * queries + row, steps = head_dim / WIDTH;
    const uint end_of_all = end_of_keys(row), share = (keys - 1) / gl_NumWorkGroups.x + 1;
    const uint start = gl_WorkGroupID.x * share, end = min(start + share, end_of_all);
    FLOATS outputs[PARTS];
    [[unroll]] for (uint part = 0; part < PARTS; part++) outputs[part] = FLOATS(0.0);
    float most = LEAST, divisor = 0.0;
    for (uint first = start; first < end; first += BLOCK) {
        make_products(query, first, end);
        const float reached = max(most, reduce_max(make_scores(row, first, end)));
        const float sum = reduce_sum(make_weights(reached)), scale_down = exp(most - reached);
        most = reached;
        divisor = fma(divisor, scale_down, sum);
        [[unroll]] for (uint part = 0; part < PARTS; part++) outputs[part] *= scale_down;
        for (uint key = gl_LocalInvocationID.y; key < BLOCK && first + key < end; key += WG_Y) {
            const uint line = (kv_head() * keys + first + key) * steps;
            const FLOATS weight = FLOATS(weights[key]);
            [[unroll]] for (uint part = 0; part < PARTS; part++) {
                const uint column = part * WG_X + gl_LocalInvocationID.x;
                if (column < steps)
                    outputs[part] = fma(weight, LOAD_WIDE(v[line + column]), outputs[part]);
            }
        }
        barrier();
    }
    const uint at = query * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (gl_LocalInvocationIndex == 0) stats[at] = vec2(most, divisor);
    [[unroll]] for (uint part = 0; part < PARTS; part++) {
        const uint column = part * WG_X + gl_LocalInvocationID.x;
        const FLOATS sum = tree_sum(outputs[part], gl_LocalInvocationID.y, WG_Y, WG_X);
        if (gl_LocalInvocationID.y == 0 && column < steps) parts[at * steps + column] = sum;
        barrier();
    }
}
