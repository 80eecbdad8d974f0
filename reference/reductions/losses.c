// SPDX-License-Identifier: Apache-2.0
// Losses between predictions and targets, element by element: the mean of their terms, and its gradient with respect
// to the predictions.
#include "../running.h"

// Defines a loss by NAME_term and NAME_slope(c, x, t): one term, and its derivative with respect to x.
#define LOSS(NAME)                                                                                                     \
    static inline struct number NAME##_at(const struct call *c, int64_t i) {                                           \
        return NAME##_term(c, exactly(c->in[0][i]), exactly(c->in[1][i]));                                             \
    }                                                                                                                  \
    SUM_OF_TERMS(NAME##_sum, NAME##_at, 4096)                                                                          \
    REFERENCE(NAME, c) {                                                                                               \
        const struct number sum = NAME##_sum(c, c->dims[0]);                                                           \
        emit_number(c, 0, over(whole_sum(c, sum, c->dims[0] - 1), counted(c, c->dims[0])));                            \
    }                                                                                                                  \
    REFERENCE(NAME##_backward, c) {                                                                                    \
        for (int64_t i = c->first; i < c->first + c->count; i++)                                                       \
            emit_number(c, i, share_of(c, NAME##_slope(c, exactly(c->in[0][i]), exactly(c->in[1][i]))));               \
    }

// Returns slope dy / n by a quotient or a reciprocal, with the larger error of both.
static inline struct number share_of(const struct call *c, struct number slope) {
    const struct number share = over(exactly(1), counted(c, c->dims[0]));
    return times(c, times(c, slope, exactly(c->in[2][0])), share);
}

static inline struct number mse_term(const struct call *c, struct number x, struct number t) {
    const struct number apart = minus(c, x, t);
    return times(c, apart, apart);
}

static inline struct number mse_slope(const struct call *c, struct number x, struct number t) {
    return times(c, exactly(2), minus(c, x, t));
}
LOSS(mse)

static inline struct number l1_term(const struct call *c, struct number x, struct number t) {
    struct number apart = minus(c, x, t);
    apart.value = fabs(apart.value);
    return apart;
}

static inline struct number l1_slope(const struct call *c, struct number x, struct number t) {
    (void)c;
    return exactly((real)((x.value > t.value) - (x.value < t.value)));
}
LOSS(l1)

// Returns log p, but at least -100, also for log 0.
static inline struct number cut_log(struct number p) {
    const real least = -100;
    struct number y = exactly(fmax(log(p.value), least));
    if (!TRUTH || y.value == least) return y;
    y.error = p.error / (double)p.value;
    y.error += p.value >= (real)0.5 && p.value <= 2 ? 4 : 3 * y.size;
    return y;
}

static inline struct number bce_term(const struct call *c, struct number x, struct number t) {
    const struct number rest = minus(c, exactly(1), t), other = minus(c, exactly(1), x);
    struct number y = plus(c, times(c, t, cut_log(x)), times(c, rest, cut_log(other)));
    y.value = -y.value;
    return y;
}

static inline struct number bce_slope(const struct call *c, struct number x, struct number t) {
    const real least = (real)1e-12;
    struct number by = times(c, x, minus(c, exactly(1), x));
    if (by.value < least) by = (struct number){least, (double)least, rounding(c, least), false, 1};
    return over(minus(c, x, t), by);
}
LOSS(bce)

// Returns log(1 + exp(-|x|)) with the error of exp, an addition, and the logarithm's 2^-21 up to 2.
static inline struct number softplus_of(const struct call *c, real x) {
    const real e = exp(-fabs(x)), value = log1p(e);
    struct number y = exactly(value);
    if (TRUTH) y.error = (bound_exp((double)x) * (double)e + rounding(c, 1 + e)) / (1 + (double)e) + 4;
    return y;
}

static inline struct number bce_with_logits_term(const struct call *c, struct number x, struct number t) {
    const struct number linear = times(c, minus(c, exactly(1), t), x);
    const struct number shifted = plus(c, linear, exactly(fmax(-x.value, (real)0)));
    return plus(c, shifted, softplus_of(c, x.value));
}

static inline struct number bce_with_logits_slope(const struct call *c, struct number x, struct number t) {
    struct number p = exactly(1 / (1 + exp(-x.value)));
    if (TRUTH) p.error = p.size * bound_logistic((double)x.value, c->rte);
    return minus(c, p, t);
}
LOSS(bce_with_logits)

#define MEAN "the mean of all terms (PyTorch reduction='mean'); targets get no gradient"
#define LOSS_BOUND                                                                                                     \
    RUNNING_BOUND "; the sum (see sum) at the sum of the absolute terms; the division by n. The errors of many terms " \
                  "and of their sum average out in one mean, so the observed error may be less than a hundredth"

// Describes a loss. Predictions x are filled as given, targets uniformly in [LOW, HIGH). OVER: "n" if the terms are
// exact for whole numbers, else NULL. OUTLIER: the targets' outlier, if the predictions have one.
#define DESCRIBE_LOSS(NAME, SUMMARY, OPERATIONS, FORMULA, SLOPE, SOURCE, CONVENTIONS, OVER, LOW, HIGH, OUTLIER, ...)   \
    COST(NAME##_flops, (OPERATIONS + 1) * D(0))                                                                        \
    OPERATOR(NAME) = {                                                                                                 \
        NAMED(NAME, "training"),                                                                                       \
        .summary = SUMMARY,                                                                                            \
        .formula = "y = mean over i of " FORMULA,                                                                      \
        .source = "PyTorch, " SOURCE,                                                                                  \
        .conventions = MEAN CONVENTIONS,                                                                               \
        .systems = "LT",                                                                                               \
        .dims = {"n"},                                                                                                 \
        .operands = {{"x", ROLE_IN, .shape = {"n"}, __VA_ARGS__},                                                      \
            {"target", ROLE_IN, .shape = {"n"}, .low = LOW, .high = HIGH, .lines = LINES_BROKEN, .outlier = OUTLIER},  \
            {.name = "y", .role = ROLE_OUT}},                                                                          \
        .flops = NAME##_flops,                                                                                         \
        .mean_over = {OVER},                                                                                           \
        .bound = LOSS_BOUND,                                                                                           \
    };                                                                                                                 \
    OPERATOR(NAME##_backward) = {                                                                                      \
        NAMED(NAME##_backward, "training"),                                                                            \
        .summary = "gradient of " #NAME " with respect to the predictions",                                            \
        .formula = "dx = dy / n * " SLOPE,                                                                             \
        .source = "PyTorch, " SOURCE,                                                                                  \
        .conventions = MEAN CONVENTIONS,                                                                               \
        .systems = "LT",                                                                                               \
        .dims = {"n"},                                                                                                 \
        .operands = {{"x", ROLE_IN, .shape = {"n"}, __VA_ARGS__},                                                      \
            {"target", ROLE_IN, .shape = {"n"}, .low = LOW, .high = HIGH, .lines = LINES_BROKEN},                      \
            {"dy", ROLE_IN, .low = 0.5, .high = 1.5, .lines = LINES_BROKEN}, {"dx", ROLE_OUT, .shape = {"n"}}},        \
        .flops = NAME##_flops,                                                                                         \
        .bound = RUNNING_BOUND,                                                                                        \
    };

DESCRIBE_LOSS(mse, "mean squared error", 2, "(x - target)^2", "2 (x - target)", "torch.nn.functional.mse_loss", "", "n",
    -1, 1, {0}, .low = -1, .high = 1, .lines = LINES_FINITE)

DESCRIBE_LOSS(l1, "mean absolute error", 2, "|x - target|", "sign(x - target)", "torch.nn.functional.l1_loss",
    "; sign(0) = 0", "n", -1, 1, {0}, .low = -1, .high = 1, .lines = LINES_FINITE)

// A probability rounded to 16 bits may be 1.
DESCRIBE_LOSS(bce, "binary cross-entropy of probabilities", 7, "-(target log x + (1 - target) log(1 - x))",
    "(x - target) / max(x (1 - x), 1e-12)", "torch.nn.functional.binary_cross_entropy",
    "; logarithms are cut at -100, and the gradient's divisor at 1e-12", NULL, 0, 1, {0}, .low = 0, .high = 1,
    .lines = LINES_BROKEN)

// Terms of log(1 + exp(-x)) next to one of up to 2^23.
#define ALL_ONES                                                                                                       \
    { .along = "n", .low = 1, .high = 1, .rest_low = 1, .rest_high = 1 }
DESCRIBE_LOSS(bce_with_logits, "binary cross-entropy of logits", 7, "(1 - target) x + max(-x, 0) + log(1 + exp(-|x|))",
    "(1 / (1 + exp(-x)) - target)", "torch.nn.functional.binary_cross_entropy_with_logits", "", NULL, 0, 1, ALL_ONES,
    .low = -8, .high = 8, .lines = LINES_FINITE,
    .outlier = {.along = "n", .low = -8.3e6, .high = -4.2e6, .rest_low = 0.1, .rest_high = 1.5})
