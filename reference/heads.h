// SPDX-License-Identifier: Apache-2.0
// The dims of attention with many heads, and the head and keys of a query. Used by the references and by
// attend_known.c.
#ifndef VKASSAY_REFERENCE_HEADS_H
#define VKASSAY_REFERENCE_HEADS_H

#include <stdint.h>

// The first dims of the operators, in this order.
enum { BATCH, HEADS, KV_HEADS, QUERIES, KEYS, HEAD_DIM, CAUSAL };

// Returns the head of keys and values for a head of queries. Both are counted over batches too, because batch is
// outermost.
static inline int64_t shared_head(const int64_t *dims, int64_t head) {
    return head / (dims[HEADS] / dims[KV_HEADS]);
}

// Returns the number of keys a query sees. In causal attention the last query sees every key, each earlier one a key
// less.
static inline int64_t keys_seen(const int64_t *dims, int64_t query) {
    const int64_t last = query + dims[KEYS] - dims[QUERIES];
    return !dims[CAUSAL] ? dims[KEYS] : last < 0 ? 0 : last + 1;
}

#endif
