// SPDX-License-Identifier: Apache-2.0
// The sizes of an attention problem, the head of keys for a head of queries, and the keys visible to a query. Heads are
// counted over the batch.
layout(push_constant) uniform Push {
    uint batch, heads, kv_heads, queries, keys, head_dim, causal;
    float scale;
};

uint kv_head_of(uint head) {
    return head / (heads / kv_heads);
}

// Returns one past the last key that a query sees. The last query sees all keys.
uint end_of_keys(uint query) {
    if (causal == 0) return keys;
    return query + 1 + keys > queries ? min(query + 1 + keys - queries, keys) : 0;
}
