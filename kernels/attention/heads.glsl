// SPDX-License-Identifier: Apache-2.0
// Shared by the kernels of attention over many heads: the problem's sizes, the keys that a query sees, and its scores.
// MASKED adds a mask (bound as MASKED); otherwise `causal` may hide later keys. A workgroup's y counts batches and
// heads. With HEADS_ON_X its x does; with KV_HEADS_ON_Y its y counts the heads of keys.
#ifndef VKASSAY_HEADS
#define VKASSAY_HEADS

#define NEGATIVE_INFINITY uintBitsToFloat(0xff800000u)
// Start of a maximum, in place of -inf: exp(-inf - LEAST) is 0, not NaN.
#define LEAST uintBitsToFloat(0xff7fffffu)

#ifdef MASKED
layout(binding = MASKED) readonly buffer Mask { T mask[]; };
layout(push_constant) uniform Push { uint heads, kv_heads, queries, keys, head_dim; float scale; };
#else
layout(push_constant) uniform Push {
    uint heads, kv_heads, queries, keys, head_dim, causal;
    float scale;
};
#endif

#ifdef KV_HEADS_ON_Y
uint kv_head() {
    return gl_WorkGroupID.y;
}
#elif defined(HEADS_ON_X)
uint q_head() {
    return gl_WorkGroupID.x;
}

uint kv_head() {
    return gl_WorkGroupID.x / (heads / kv_heads);
}
#else
uint q_head() {
    return gl_WorkGroupID.y;
}

uint kv_head() {
    return gl_WorkGroupID.y / (heads / kv_heads);
}
#endif

// Returns one past the last key that a query sees. The last query sees all keys.
uint end_of_keys(uint row) {
#ifndef MASKED
    if (causal != 0) return row + 1 + keys > queries ? min(row + 1 + keys - queries, keys) : 0;
#endif
    return keys;
}

bool sees(uint row, uint key) {
    return row < queries && key < end_of_keys(row);
}

float logit(float product, uint row, uint key) {
#ifdef MASKED
    return product * scale + LOAD(mask[row * keys + key]);
#else
    return product * scale;
#endif
}

#endif
