// SPDX-License-Identifier: Apache-2.0
// The sizes of an attention problem, which head of keys serves a head of queries (both counted over
// the batch), and which keys a query sees.
layout(push_constant) uniform Push {
    uint batch, heads, kv_heads, queries, keys, head_dim, causal;
    float scale;
};

uint kv_head_of(uint head) {
    return head / (heads / kv_heads);
}

// One past the last key that a query sees: the last query sees them all.
uint end_of_keys(uint query) {
    if (causal == 0) return keys;
    return query + 1 + keys > queries ? min(query + 1 + keys - queries, keys) : 0;
}
