// SPDX-License-Identifier: Apache-2.0
// Mean and squared deviations of a set of elements, and outputs centred and scaled by them: shared by variance and
// the norms. Bounds are in epsilons (bounds.h), to first order. The exception is the mean's error in a variance,
// where the first order vanishes.
#ifndef VKASSAY_REFERENCE_MOMENTS_H
#define VKASSAY_REFERENCE_MOMENTS_H

#include "../sums.h"
#include "../reference.h"

// A set of elements: `pieces` stretches of `length` elements, `stride` apart.
struct set {
    const real *x;
    int64_t pieces, length, stride;
};

struct moments {
    int64_t count;
    real mean, squares;    // the sum of the squared deviations from the mean
    double mean_abs;       // mean of |x|; the mean's error is measured at this size
    double mean_bound;     // of the mean, in epsilons of mean_abs
    double squares_bound;  // of `squares` about the computed mean, in epsilons
    double squares_offset; // their increase from the mean's error
};

// Computes the moments. The rounding of each x - mean is squared and so counts twice. An error e of the mean shifts
// all deviations alike and adds count e^2 to the sum of their squares. This matters only if the mean is large
// compared with the deviations. It is computed for 32-bit arithmetic.
//
// Some kernels merge the moments of blocks (Chan, Golub and LeVeque 1983). The errors of the blocks' means then count
// times their distances from the whole mean. These are small and of either sign for elements in random order. Such a
// kernel must subtract a pivot if the mean is large.
static inline struct moments moments_of(const struct call *c, const struct set *set) {
    const int64_t count = set->pieces * set->length;
    const double sum_bound = bound_sum_of(c, count - 1);
    struct moments m = {
        .count = count, .mean_bound = sum_bound + BOUND_DIVISION, .squares_bound = sum_bound + 3 * bound_basic(c->rte)};
    real sum = 0;
    for (int64_t i = 0; i < set->pieces; i++)
        for (int64_t j = 0; j < set->length; j++) {
            const real x = set->x[i * set->stride + j];
            sum += x;
            if (TRUTH) m.mean_abs += (double)fabs(x) / (double)count;
        }
    m.mean = sum / (real)count;
    for (int64_t i = 0; i < set->pieces; i++)
        for (int64_t j = 0; j < set->length; j++) {
            const real centred = set->x[i * set->stride + j] - m.mean;
            m.squares += centred * centred;
        }
    const double shift = m.mean_abs * m.mean_bound * 0x1p-23;
    m.squares_offset = (double)count * shift * shift;
    return m;
}

// Returns the larger of the squares and their increase.
static inline double squares_most(const struct moments *m) {
    return fmax((double)m->squares, m->squares_offset);
}

// Returns the error of the squares in epsilons of `most`, which squares_most gives.
static inline double squares_error(const struct moments *m, double most) {
    return most > 0 ? (double)m->squares / most * m->squares_bound + m->squares_offset / most * 0x1p23 : 0;
}

// Writes squares / divisor.
static inline void emit_variance(const struct call *c, int64_t i, const struct moments *m, int64_t divisor) {
    const double most = squares_most(m), at = most / (double)divisor;
    double bound = 0;
    if (TRUTH && most > 0) bound = ulps_at(squares_error(m, most) + BOUND_DIVISION, at);
    emit(c, i, m->squares / (real)divisor, divisor > 0 ? at : 0, bound);
}

// Returns the bound of 1 / sqrt(q + eps) for a q with a relative error of `under`. It is the less exact of two ways:
// a square root, then a division. The root halves the error of q + eps.
static inline double inverse_root_bound(double under, bool rte) {
    return 0.5 * (under + bound_basic(rte)) + BOUND_SQRT + BOUND_DIVISION;
}

// Mean and scale of outputs that are centred and scaled alike.
struct centring {
    real mean, scale;
    double mean_abs, mean_bound; // as in struct moments
    double scale_bound;          // in epsilons
};

static inline struct centring centring_of(const struct call *c, const struct set *set, real eps) {
    const struct moments m = moments_of(c, set);
    const double variance = (double)(m.squares / (real)m.count + eps);
    const double offset = m.squares_offset / (double)m.count;
    // No accuracy is promised under a root of 0, or if the deviations vanish beside the mean's own error.
    const bool vanishes = variance <= offset;
    return (struct centring){.mean = m.mean,
        .scale = 1 / sqrt(m.squares / (real)m.count + eps),
        .mean_abs = m.mean_abs,
        .mean_bound = m.mean_bound,
        .scale_bound = vanishes
                           ? INFINITY
                           : inverse_root_bound(m.squares_bound + offset / variance * 0x1p23 + BOUND_DIVISION, c->rte)};
}

// Writes y = (x - mean) scale gamma + beta. The difference cancels, so the error is measured at (|x| + mean |x|)
// |scale gamma| + |beta|.
static inline void emit_centred(
    const struct call *c, int64_t i, real x, real gamma, real beta, const struct centring *by) {
    const real centred = x - by->mean, y = centred * by->scale * gamma + beta;
    if (!TRUTH) {
        emit(c, i, y, 0, 0);
        return;
    }
    const double basic = bound_basic(c->rte), factor = fabs((double)(by->scale * gamma));
    const double magnitude = factor * (fabs((double)x) + by->mean_abs) + fabs((double)beta);
    const double error =
        factor * (by->mean_abs * by->mean_bound + fabs((double)centred) * (by->scale_bound + 3 * basic)) +
        basic * fabs((double)y);
    const double bound = magnitude > 0 ? ulps_at(error / magnitude, magnitude) : basic;
    const bool open = is_infinite_or_nan((double)centred, by->mean_abs * by->mean_bound, (double)gamma);
    emit(c, i, y, magnitude, open || isinf(by->scale_bound) ? INFINITY : bound);
}

#define CENTRED_BOUND                                                                                                  \
    "epsilons at |scale gamma| (|x| + mean|x|) + |beta|: the mean's sum (see sum_rows) and 2.5 "                       \
    "of its division by mean|x|; the scale's (as rmsnorm, with x - mean rounded, and the square "                      \
    "of the mean's error) and three operations by |x - mean|; beta added"

// Does the same for a stretch of outputs and inputs, such as a plane of an image.
static inline void emit_centred_stretch(
    const struct call *c, int64_t first, int64_t count, real gamma, real beta, const struct centring *by) {
    for (int64_t i = first; i < first + count; i++) emit_centred(c, i, c->in[0][i], gamma, beta, by);
}

#define EPS .params = {{"eps", .standard = 1e-5, .low = 0, .high = 1, TELLING(0, 1, 1e-2)}}

#endif
