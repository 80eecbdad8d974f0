// SPDX-License-Identifier: Apache-2.0
// Keys and values between the steps of a decoder. Nothing is computed, so every output is exact.
#include "../strided_view.h"

// Appends to a cache of [batch, kv_heads, capacity, head_dim]; rows position ... position + seq - 1 are new.
REFERENCE(kv_append, c) {
    const int64_t capacity = c->dims[2], head_dim = c->dims[3], position = c->dims[4];
    const int64_t seq = c->dims[5];
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const int64_t row = i / head_dim % capacity - position, head = i / head_dim / capacity;
        const bool is_new = row >= 0 && row < seq;
        const real *x = c->in[0] + (head * seq + row) * head_dim;
        emit(c, i, is_new ? x[i % head_dim] : c->in[1][i], 0, 0);
    }
}

REFERENCE(repeat_kv, c) {
    const int64_t heads = c->dims[0] * c->dims[1], plane = c->dims[3] * c->dims[4];
    emit_view(c, 0, (struct strided_view){.size = {1, heads, c->dims[2], plane}, .stride = {0, plane, 0, 1}});
}

static const char *kv_append_derive(int64_t *dims) {
    if (dims[4] > dims[2] || dims[5] > dims[2] - dims[4]) return "position + seq is beyond the capacity of the cache";
    return NULL;
}

COST(kv_append_bytes, 8 * D(0) * D(1) * D(3) * D(5))

OPERATOR(kv_append) = {
    NAMED(kv_append, "attention"),
    .summary = "new keys (or values) written to their rows of a cache",
    .formula = "cache[b, h, position + s, :] = x[b, h, s, :]",
    .source = "the key-value cache of torchless's decoder",
    .conventions = "the cache is [batch, kv_heads, capacity, head_dim]; other rows keep their values; bytes count only "
                   "the new rows",
    .systems = "TL",
    .dims = {"batch", "kv_heads", "capacity", "head_dim", "position", "seq"},
    .derive = kv_append_derive,
    .zero_ok = {"position"},
    .operands = {{"x", ROLE_IN, .shape = {"batch", "kv_heads", "seq", "head_dim"}, MOVED},
        {"cache", ROLE_INOUT, .shape = {"batch", "kv_heads", "capacity", "head_dim"}, MOVED}},
    .flops = flops_none,
    .bytes = kv_append_bytes,
    .bound = EXACT_COPY,
};

OPERATOR(repeat_kv) = {
    NAMED(repeat_kv, "attention"),
    .summary = "each head of keys (or values) written for every head of queries that shares it",
    .formula = "y[b, h, s, :] = x[b, h / repeats, s, :]",
    .source = "repeat_kv of Hugging Face transformers' Llama; PyTorch, repeat_interleave",
    .conventions = "neighbouring heads of y are equal",
    .systems = "TL",
    .dims = {"batch", "kv_heads", "repeats", "seq", "head_dim"},
    .operands = {{"x", ROLE_IN, .shape = {"batch", "kv_heads", "seq", "head_dim"}, MOVED},
        {"y", ROLE_OUT, .shape = {"batch", "kv_heads", "repeats", "seq", "head_dim"}, MOVED}},
    NOTHING_COMPUTED,
};
