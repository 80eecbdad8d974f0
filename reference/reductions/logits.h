// SPDX-License-Identifier: Apache-2.0
// A row's exponentials, their sum and its logarithm, shared by softmax and the losses over classes. The bounds are
// derived in epsilons (bounds.h), to first order; `basic` is one correctly rounded operation.
#ifndef VKASSAY_REFERENCE_LOGITS_H
#define VKASSAY_REFERENCE_LOGITS_H

#include "../sums.h"
#include "../reference.h"

// A row's logits: x, or scale x + mask if there is a mask.
struct logits {
    const real *x, *mask;
    real scale;
    int64_t cols;
};

static inline real logit(const struct logits *row, int64_t j) {
    return row->mask ? row->x[j] * row->scale + row->mask[j] : row->x[j];
}

static inline real largest_logit(const struct logits *row) {
    real most = -INFINITY;
    for (int64_t j = 0; j < row->cols; j++) most = logit(row, j) > most ? logit(row, j) : most;
    return most;
}

// Returns the error of one exponential exp(t), t = z - max. It has its own 3 + 2|t|, and the rounding of t moves it
// by basic |t|. A product and a sum before that move it by basic (|scale x| + |z|). An error of max is the same in
// every term and cancels. Beyond 1000 a term is 0.
static inline double term_bound(const struct logits *row, int64_t j, real most, bool rte) {
    const double z = (double)logit(row, j), t = fmax(z - (double)most, -1000);
    double moved = fabs(t);
    if (row->mask && t > -1000) moved += fabs((double)(row->x[j] * row->scale)) + fabs(z);
    return bound_exp(t) + bound_basic(rte) * moved;
}

// Returns the error of the divisor: the errors of the terms by their shares of the sum, then that of the summation. A
// kernel that reads a row once also rescales its partial sum each time the maximum rises. A row in random order has
// about ln(cols) rises (the records of a random sequence), each with one more exponential and product. The scale of
// exponents is already in the terms.
//
// Zeros among the logits give equal terms. All of them are rounded alike, so the errors of their additions add up.
//
// `shares` are those of the terms; if NULL, they are computed here.
static inline double divisor_bound(
    const struct call *c, const struct logits *row, real most, double divisor, const real *shares) {
    double terms = 0;
    int64_t zeros = 0;
    for (int64_t j = 0; j < row->cols; j++) {
        zeros += row->x[j] == 0;
        const double share = shares ? (double)shares[j] : exp((double)(logit(row, j) - most)) / divisor;
        terms += share * term_bound(row, j, most, c->rte);
    }
    const int64_t depth = depth_of(c, row->cols - 1);
    const double alike = bound_basic(c->rte) * (double)(zeros < depth ? zeros : depth);
    return terms + fmax(bound_sum_of(c, row->cols - 1), alike) + (3 + bound_basic(c->rte)) * log((double)row->cols);
}

static inline real divisor_of(const struct logits *row, real most) {
    real sum = 0;
    for (int64_t j = 0; j < row->cols; j++) sum += exp(logit(row, j) - most);
    return sum;
}

// The logarithm of a divisor. Its error is absolute near 1: 2^-21 up to 2, or 4 epsilons of 1. A relative error of
// the divisor is an absolute one of its logarithm. Both are measured at a size of at least 1.
struct logarithm {
    real most, value;
    double magnitude, error; // of `value`; the error in epsilons of 1
};

static inline struct logarithm log_divisor(const struct call *c, const struct logits *row) {
    struct logarithm l = {.most = largest_logit(row)};
    const real sum = divisor_of(row, l.most);
    l.value = log(sum);
    if (!TRUTH) return l;
    l.magnitude = fmax((double)l.value, 1);
    l.error = divisor_bound(c, row, l.most, (double)sum, NULL) + (sum <= 2 ? 4 : 3 * (double)l.value);
    return l;
}

#endif
