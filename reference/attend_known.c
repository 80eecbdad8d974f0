// SPDX-License-Identifier: Apache-2.0
#include "attend_known.h"

#include "heads.h"
#include "philox.h"

#include <math.h>
#include <stdlib.h>

enum { Q, K, V, MASK };
enum { DRAW_CLASS = 21, DRAW_QUERY, DRAW_VALUE };
enum { VALUE = 16, WIDEST_HEAD = 1024 };

// `apart`: a difference of scores for which exp is 0 in f32. `largest`: the largest number used to reach it.
static const double apart = 150, largest = 16384;
// Sums of this many values stray from 0 by at most 128, five and a half times the usual distance.
static const double most_values = 512;

static double large_number(double scale) {
    return exp2(ceil(log2(apart / fabs(scale))));
}

static bool are_known(const int64_t *dims, const double *params) {
    return dims[HEAD_DIM] <= WIDEST_HEAD && params[0] != 0 && large_number(params[0]) <= largest;
}

// Returns the class of a key: twice the position of its number, plus one if it is negative. Keys are counted over
// batches and heads.
static int64_t class_of(const int64_t *dims, uint64_t key, int64_t line) {
    return (int64_t)((uint64_t)philox(key, (uint64_t)line, DRAW_CLASS).v[0] * (uint64_t)(2 * dims[HEAD_DIM]) >> 32);
}

// Returns the number of keys a query sees. Attention with a mask has no `causal`: later queries see more keys, the
// last one all.
static int64_t keys_of(const int64_t *dims, bool masked, int64_t query) {
    const int64_t keys = dims[KEYS], queries = dims[QUERIES];
    if (!masked) return keys_seen(dims, query);
    return query < queries - 1 && queries <= keys ? (query + 1) * (keys / queries) : keys;
}

// Returns the class a query asks for, which one of its keys has, or -1 for none.
static int64_t asked_by(const int64_t *dims, bool masked, uint64_t key, int64_t row) {
    const struct philox bits = philox(key, (uint64_t)row, DRAW_QUERY);
    const int64_t seen = keys_of(dims, masked, row % dims[QUERIES]);
    if (!seen || bits.v[0] % 2) return -1;
    const int64_t chosen = (int64_t)((uint64_t)bits.v[1] * (uint64_t)seen >> 32);
    return class_of(dims, key, shared_head(dims, row / dims[QUERIES]) * dims[KEYS] + chosen);
}

static double of_class(int64_t class, int64_t column) {
    return class < 0 || class / 2 != column ? 0 : class % 2 ? -1 : 1;
}

// Returns a query's number, which is as large as the sign and size of the scale need.
static double asking(int64_t class, int64_t column, double scale) {
    const double sign = of_class(class, column);
    return sign == 0 ? 0 : sign * copysign(large_number(scale), scale);
}

static double value_of(const int64_t *dims, uint64_t key, int64_t i) {
    const struct philox bits = philox(key, (uint64_t)i, DRAW_VALUE);
    const double share = fmin(0.5, most_values / (double)dims[KEYS]);
    return philox_uniform(bits.v[0]) >= share ? 0 : bits.v[1] & 1 ? VALUE : -VALUE;
}

static double number_at(const int64_t *dims, const double *params, bool masked, uint64_t key, int operand, int64_t i) {
    const int64_t row = i / dims[HEAD_DIM], column = i % dims[HEAD_DIM];
    switch (operand) {
    case Q:
        return asking(asked_by(dims, masked, key, row), column, params[0]);
    case K:
        return of_class(class_of(dims, key, row), column);
    case V:
        return value_of(dims, key, i);
    default:
        return i % dims[KEYS] < keys_of(dims, masked, i / dims[KEYS]) ? 0 : -INFINITY;
    }
}

// ---- the expected outputs

// Sums of values and their numbers by class, over the first keys of one head. The last class is the total.
struct classes {
    double *sums;
    int64_t *counts, count, width;
};

static int64_t class_in(const double *row, int64_t width) {
    for (int64_t i = 0; i < width; i++)
        if (row[i] != 0) return 2 * i + (row[i] < 0);
    return -1;
}

static void add_value(struct classes *c, int64_t class, const double *value) {
    double *sums = c->sums + class * c->width;
    c->counts[class]++;
    for (int64_t i = 0; i < c->width; i++) sums[i] += value[i];
}

static void put_mean(const struct call_f64 *call, const struct classes *c, int64_t row) {
    const int64_t class = class_in(call->in[Q] + row * c->width, c->width), at = row * c->width - call->first;
    // With a negative scale, a query asks for the opposite class.
    const int64_t asked = class < 0 ? c->count - 1 : class ^ (call->params[0] < 0);
    const double *sums = c->sums + asked * c->width, keys = (double)c->counts[asked];
    for (int64_t i = 0; i < c->width; i++) {
        call->out[at + i] = keys > 0 ? sums[i] / keys : 0;
        call->bound[at + i] = keys > 0 ? VALUE / 4.0 / keys : 0;
    }
}

// Computes the outputs of one head of keys. Later queries never see fewer keys.
static void put_head(const struct call_f64 *call, bool masked, int64_t shared, struct classes *c) {
    const int64_t *dims = call->dims, queries = dims[QUERIES], heads = dims[HEADS] / dims[KV_HEADS];
    for (int64_t query = 0, key = 0; query < queries; query++) {
        for (; key < keys_of(dims, masked, query); key++) {
            const int64_t at = (shared * dims[KEYS] + key) * c->width;
            add_value(c, class_in(call->in[K] + at, c->width), call->in[V] + at);
            add_value(c, c->count - 1, call->in[V] + at);
        }
        for (int64_t head = 0; head < heads; head++) put_mean(call, c, (shared * heads + head) * queries + query);
    }
}

static void put_means(const struct call_f64 *call, bool masked) {
    const int64_t *dims = call->dims, width = dims[HEAD_DIM], count = 2 * width + 1;
    const int64_t stretch = dims[HEADS] / dims[KV_HEADS] * dims[QUERIES] * width;
    struct classes c = {.count = count, .width = width};
    for (int64_t at = call->first; at < call->first + call->count; at += stretch) {
        c.sums = calloc((size_t)(count * width), sizeof *c.sums);
        c.counts = calloc((size_t)count, sizeof *c.counts);
        if (c.sums && c.counts) put_head(call, masked, at / stretch, &c);
        for (int64_t i = 0; !(c.sums && c.counts) && i < stretch; i++) call->bound[at - call->first + i] = INFINITY;
        free(c.sums);
        free(c.counts);
    }
}

// ---- with a mask, and without

static double input_of_attention(const int64_t *dims, const double *params, uint64_t key, int operand, int64_t i) {
    return number_at(dims, params, false, key, operand, i);
}

static double input_of_masked(const int64_t *dims, const double *params, uint64_t key, int operand, int64_t i) {
    return number_at(dims, params, true, key, operand, i);
}

static void means_of_attention(const struct call_f64 *call) {
    put_means(call, false);
}

static void means_of_masked(const struct call_f64 *call) {
    put_means(call, true);
}

const struct known_outputs attention_known = {{"batch", "kv_heads"}, are_known, input_of_attention, means_of_attention};
const struct known_outputs attention_masked_known = {
    {"batch", "kv_heads"}, are_known, input_of_masked, means_of_masked};
