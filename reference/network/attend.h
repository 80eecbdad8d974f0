// SPDX-License-Identifier: Apache-2.0
// Shared parts of attention with many heads and its gradients. These are a query's scores of the keys it sees, and
// the errors of the weights. Bounds are in epsilons (bounds.h), to first order.
#ifndef VKASSAY_REFERENCE_ATTEND_H
#define VKASSAY_REFERENCE_ATTEND_H

#include "../bounds.h"
#include "../heads.h"
#include "../products.h"

// A query and the keys it sees.
struct query {
    const real *q, *k, *v, *mask;
    int64_t keys, head_dim;
    real scale;
};

// Returns the scaled and masked score of key j; the double pass adds the sum of its absolute terms to *size.
static inline real score(const struct query *row, int64_t j, double *size) {
    double terms = 0;
    const real x = row->scale * dot(row->q, row->k + j * row->head_dim, row->head_dim, &terms);
    *size += terms * fabs((double)row->scale) + (row->mask ? fabs((double)row->mask[j]) : 0);
    return row->mask ? x + row->mask[j] : x;
}

static inline real largest_score(const struct query *row) {
    real most = -INFINITY;
    double size = 0;
    for (int64_t j = 0; j < row->keys; j++) most = fmax(most, score(row, j, &size));
    return most;
}

// The errors of the weights, summed over weights or weighted values. `linear` adds up worst cases, because the errors
// of exp may be one-sided. The roundings within the scores, and of weights stored in a narrower type, are many and
// independent. `worst` is their sum in the worst case. `squares` is the sum of their squares, for Hoeffding's
// inequality (see bound_sum).
struct tally {
    double magnitude, linear, worst, squares;
};

static inline void tally_add(struct tally *sum, double size, const struct tally *weight) {
    sum->magnitude += size;
    sum->linear += size * weight->linear;
    sum->worst += size * weight->worst;
    sum->squares += size * size * weight->squares;
}

static inline double tally_error(const struct tally *sum, bool rte) {
    if (sum->magnitude == 0) return 0;
    const double likely = BOUND_LAMBDA / 2 * sqrt(sum->squares);
    return (sum->linear + (rte ? fmin(sum->worst, likely) : sum->worst)) / sum->magnitude;
}

// Bounds are of the first order: if errors reach a tenth of the value, there is no bound.
static inline double first_order(double epsilons) {
    return epsilons > 0.1 * 0x1p23 ? INFINITY : epsilons;
}

// Returns the errors of one weight exp(t), t = score - max, in epsilon: exp's 3 + 2|t|, and the rounding of t. The
// score has head_dim additions of rounded products, then a scale and a mask. Each errs by a basic operation at
// `size`, the sum of the absolute terms. An error of max is the same in every weight and cancels.
static inline struct tally weight_error(const struct call *c, const struct query *row, double t, double size) {
    // A matrix unit for a narrower type of the case loses up to an ULP of this type in a weight.
    const int lost = 24 - dtype_info(c->dtype)->significand;
    const double narrow = dtype_info(c->dtype)->is_float && lost > 0 ? ldexp(1, lost) : 0;
    const double basic = bound_basic(c->rte);
    const double roundings = (double)row->head_dim + 3;
    // A weight below the least normal number may become 0: in f32, or in the narrower type of a matrix unit.
    const double least = narrow > 0 ? dtype_info(c->dtype)->least_exponent * M_LN2 + 0.01 : -87.3;
    const double flushed = t < least ? 0x1p23 : 0;
    return (struct tally){.linear = bound_exp(t) + basic * fabs(t) + flushed,
        .worst = basic * (roundings * size + narrow),
        .squares = roundings * size * size + narrow * narrow};
}

// Returns the query of output row `row`, counted over batch, heads and queries. Queries, keys and values are the
// operands from `first` on.
static inline struct query query_of(const struct call *c, int first, int64_t row) {
    const int64_t *dims = c->dims;
    const int64_t start = shared_head(dims, row / dims[QUERIES]) * dims[KEYS] * dims[HEAD_DIM];
    return (struct query){.q = c->in[first] + row * dims[HEAD_DIM],
        .k = c->in[first + 1] + start,
        .v = c->in[first + 2] + start,
        .keys = dims[KEYS],
        .head_dim = dims[HEAD_DIM],
        .scale = (real)c->params[0]};
}

// Returns the pairs of a query and a key it sees. In causal attention the last query sees every key, each earlier one
// a key less.
static inline double pairs_seen(double queries, double keys, bool causal) {
    const double seeing = fmin(queries, keys);
    return causal ? seeing * (keys - (seeing - 1) / 2) : queries * keys;
}

#endif
