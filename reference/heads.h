// SPDX-License-Identifier: Apache-2.0
// The dims of attention of many heads, and which head and keys a query takes: for its references and for what knows its
// outputs without them.
#ifndef VKASSAY_REFERENCE_HEADS_H
#define VKASSAY_REFERENCE_HEADS_H

#include <stdint.h>

// The first dims of the operators, in this order.
enum { BATCH, HEADS, KV_HEADS, QUERIES, KEYS, HEAD_DIM, CAUSAL };

// The head of keys and values of a head of queries; both are counted over batches too, as batch is outermost.
static inline int64_t shared_head(const int64_t *dims, int64_t head) {
    return head / (dims[HEADS] / dims[KV_HEADS]);
}

// Of causal attention: the last query sees every key, each before it one less.
static inline int64_t keys_seen(const int64_t *dims, int64_t query) {
    const int64_t last = query + dims[KEYS] - dims[QUERIES];
    return !dims[CAUSAL] ? dims[KEYS] : last < 0 ? 0 : last + 1;
}

#endif
