// SPDX-License-Identifier: Apache-2.0
// Running error analysis (N. J. Higham, Accuracy and stability of numerical algorithms, 2002, 3.3) for formulas of
// several steps. Numbers carry the largest error of a right kernel. In the float pass they are plain numbers.
#ifndef VKASSAY_REFERENCE_RUNNING_H
#define VKASSAY_REFERENCE_RUNNING_H

#include "sums.h"
#include "reference.h"

#include <stdlib.h>

struct number {
    real value;
    double size;  // the sum of the absolute terms in it
    double error; // absolute, in epsilons of 1
    bool open;    // an infinity or NaN (bounds.h)
    int steps;    // operations
};

static inline struct number exactly(real value) {
    return (struct number){.value = value, .size = TRUTH ? fabs((double)value) : 0};
}

// Returns the error of rounding a result once. Rounding to an infinity adds nothing: it is an infinity however its
// terms erred.
static inline double rounding(const struct call *c, real value) {
    return TRUTH && isfinite(value) ? bound_basic(c->rte) * fabs((double)value) : 0;
}

// Returns a count, exact in float up to 2^24.
static inline struct number counted(const struct call *c, int64_t count) {
    struct number n = exactly((real)count);
    if (count > 1 << 24) n.error = rounding(c, n.value);
    return n;
}

static inline struct number plus(const struct call *c, struct number a, struct number b) {
    const real value = a.value + b.value;
    return (struct number){
        value, a.size + b.size, a.error + b.error + rounding(c, value), a.open || b.open, a.steps + b.steps + 1};
}

static inline struct number minus(const struct call *c, struct number a, struct number b) {
    b.value = -b.value;
    return plus(c, a, b);
}

static inline struct number times(const struct call *c, struct number a, struct number b) {
    struct number y = {.value = a.value * b.value};
    if (!TRUTH) return y;
    y.size = a.size * b.size;
    y.error = fabs((double)a.value) * b.error + fabs((double)b.value) * a.error + a.error * b.error * 0x1p-23 +
              rounding(c, y.value);
    y.open = a.open || b.open || is_infinite_or_nan((double)a.value, a.error, (double)b.value) ||
             is_infinite_or_nan((double)b.value, b.error, (double)a.value);
    y.steps = a.steps + b.steps + 1;
    return y;
}

static inline struct number over(struct number a, struct number b) {
    struct number y = {.value = a.value / b.value};
    if (!TRUTH) return y;
    const double by = fabs((double)b.value), size = fabs((double)y.value);
    y.size = a.size / by;
    y.error = (a.error + size * b.error) / by + BOUND_DIVISION * size;
    y.open = a.open || b.open;
    y.steps = a.steps + b.steps + 1;
    return y;
}

static inline struct number root(struct number a) {
    struct number y = {.value = sqrt(a.value), .open = a.open, .steps = a.steps + 1};
    if (!TRUTH || y.value == 0) return y;
    y.size = (double)y.value;
    y.error = a.error / (2 * y.size) + BOUND_SQRT * y.size;
    return y;
}

// Adds a term to a sum; the sum's own roundings are added later, by whole_sum.
static inline void add_term(struct number *sum, struct number term) {
    sum->value += term.value;
    if (!TRUTH) return;
    sum->size += term.size;
    sum->error += term.error;
    sum->open |= term.open;
    sum->steps += term.steps + 1;
}

// The terms of a sum, made on several cores and added in order, so the sum has the bits of a loop. A term of negative
// `steps` does not count.
enum { TERMS_AT_ONCE = 1 << 18 };
struct terms {
    const struct call *call;
    int64_t first;
    struct number *items; // from `first` on
};

static inline struct number sum_on_cores(
    const struct call *c, int64_t count, int64_t grain, void (*make)(void *terms, int64_t first, int64_t some)) {
    const int64_t most = count < TERMS_AT_ONCE ? count : TERMS_AT_ONCE;
    struct terms terms = {.call = c, .items = malloc((size_t)most * sizeof *terms.items)};
    struct number sum = exactly(terms.items || !count ? 0 : (real)NAN); // without memory: NaN, so no kernel matches
    for (; terms.items && terms.first < count; terms.first += most) {
        const int64_t left = count - terms.first, some = left < most ? left : most;
        c->on_cores(some, grain, make, &terms);
        for (int64_t i = 0; i < some; i++)
            if (terms.items[i].steps >= 0) add_term(&sum, terms.items[i]);
    }
    free(terms.items);
    return sum;
}

// Defines NAME(c, count): the sum of TERM(c, i) for each i below `count`. A core takes GRAIN terms or more at once.
#define SUM_OF_TERMS(NAME, TERM, GRAIN)                                                                                \
    static inline void NAME##_some(void *context, int64_t first, int64_t some) {                                       \
        const struct terms *terms = context;                                                                           \
        for (int64_t i = first; i < first + some; i++) terms->items[i] = TERM(terms->call, terms->first + i);          \
    }                                                                                                                  \
    static inline struct number NAME(const struct call *c, int64_t count) {                                            \
        struct number sum = exactly(0);                                                                                \
        if (TRUTH && c->on_cores) return sum_on_cores(c, count, GRAIN, NAME##_some);                                   \
        for (int64_t i = 0; i < count; i++) {                                                                          \
            const struct number term = TERM(c, i);                                                                     \
            if (term.steps >= 0) add_term(&sum, term);                                                                 \
        }                                                                                                              \
        return sum;                                                                                                    \
    }

// Adds the roundings of a sum's additions; `serial` is its depth unless the kernel states one.
static inline struct number whole_sum(const struct call *c, struct number sum, int64_t serial) {
    if (TRUTH) {
        const double ulp = dtype_ulp(DTYPE_F32, sum.size) * 0x1p23;
        sum.error += bound_sum_of(c, serial) * ulp;
    }
    return sum;
}

// Writes a number with its bound. Half an ULP is reserved for one operation, because it is then judged as correctly
// rounded (judge/element.c). Several operations may have the same bound if they cancel, so theirs is a little wider.
static inline void emit_number(const struct call *c, int64_t i, struct number y) {
    if (!TRUTH) {
        emit(c, i, y.value, 0, 0);
        return;
    }
    const double bound = y.size > 0 ? ulps_at(y.error / y.size, y.size) : 0;
    emit(c, i, y.value, y.size, y.open ? INFINITY : bound == 0.5 && y.steps > 1 ? 0.5 + DBL_EPSILON : bound);
}

#define RUNNING_BOUND                                                                                                  \
    "running error analysis: a basic operation for each of + - *, 2.5 ULP of a division, 4.5 of "                      \
    "a root, carried on through the steps of the formula"

#endif
