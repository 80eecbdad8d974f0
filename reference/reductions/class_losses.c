// SPDX-License-Identifier: Apache-2.0
// Losses between rows of scores and classes: the mean over the rows with a valid target, and its gradient with
// respect to the scores.
#include "logits.h"
#include "../running.h"

enum { ROWS, COLS };              // dims
enum { IGNORE_INDEX, SMOOTHING }; // parameters

// Returns the index of the operand with the targets. It follows the scores, except in the gradient that does not need
// them. The gradient of the mean is the next operand.
static inline int target_operand(const struct call *c) {
    return c->ints[0] ? 0 : 1;
}

// Returns a row's class, or -1 if it does not count. A class out of range is never used as an index.
static inline int64_t class_of(const struct call *c, int64_t row) {
    const int32_t target = c->ints[target_operand(c)][row];
    const bool ignored = target == (int32_t)c->params[IGNORE_INDEX];
    return ignored || target < 0 || target >= c->dims[COLS] ? -1 : target;
}

static int64_t count_rows(const struct call *c) {
    int64_t count = 0;
    for (int64_t row = 0; row < c->dims[ROWS]; row++) count += class_of(c, row) >= 0;
    return count;
}

// Returns (1 - s) (lse - x[class]) + s (lse - mean x), with lse the logarithm of the sum of exponentials. A term of
// weight 0 is omitted because it may be infinite.
static inline struct number smoothed_loss(const struct call *c, const real *x, int64_t class) {
    const int64_t cols = c->dims[COLS];
    const struct logits row = {.x = x, .cols = cols};
    const struct logarithm l = log_divisor(c, &row);
    const struct number divisor = {l.value, l.magnitude, l.error, false, 2};
    const struct number lse = plus(c, exactly(l.most), divisor);
    const struct number s = exactly((real)c->params[SMOOTHING]);
    const struct number hard = times(c, minus(c, exactly(1), s), minus(c, lse, exactly(x[class])));
    if (s.value == 0) return hard;
    struct number sum = exactly(0);
    for (int64_t j = 0; j < cols; j++) add_term(&sum, exactly(x[j]));
    const struct number mean = over(whole_sum(c, sum, cols - 1), counted(c, cols));
    const struct number spread = times(c, s, minus(c, lse, mean));
    return s.value == 1 ? spread : plus(c, hard, spread);
}

static inline struct number picked_loss(const struct call *c, const real *x, int64_t class) {
    (void)c;
    return exactly(-x[class]);
}

// Returns the mean; it is 0 / 0 if no row counts.
static inline struct number mean_of_rows(const struct call *c, struct number sum, int64_t count) {
    if (count == 0) return exactly((real)NAN);
    return over(whole_sum(c, sum, c->dims[ROWS] - 1), counted(c, count));
}

#define MEAN_OF_COUNTED(NAME, LOSS, GRAIN)                                                                             \
    static inline struct number NAME##_at(const struct call *c, int64_t row) {                                         \
        const struct number none = {.steps = -1};                                                                      \
        const int64_t class = class_of(c, row);                                                                        \
        return class >= 0 ? LOSS(c, c->in[0] + row * c->dims[COLS], class) : none;                                     \
    }                                                                                                                  \
    SUM_OF_TERMS(NAME##_sum, NAME##_at, GRAIN)                                                                         \
    REFERENCE(NAME, c) {                                                                                               \
        emit_number(c, 0, mean_of_rows(c, NAME##_sum(c, c->dims[ROWS]), count_rows(c)));                               \
    }
MEAN_OF_COUNTED(cross_entropy, smoothed_loss, 1)
MEAN_OF_COUNTED(nll, picked_loss, 4096)

// Writes softmax(x)[j] with the error of softmax.c, less the label's share of class j, times dy / count.
static void cross_entropy_backward_row(const struct call *c, int64_t first, int64_t class, struct number share) {
    const int64_t cols = c->dims[COLS];
    const struct logits row = {.x = c->in[0] + first, .cols = cols};
    const struct number s = exactly((real)c->params[SMOOTHING]);
    const struct number cold = over(s, counted(c, cols));
    const struct number hot = plus(c, minus(c, exactly(1), s), cold);
    const real most = largest_logit(&row), sum = divisor_of(&row, most);
    const double divisor = TRUTH ? divisor_bound(c, &row, most, (double)sum, NULL) : 0;
    for (int64_t j = 0; j < cols; j++) {
        struct number p = exactly(exp(row.x[j] - most) / sum);
        if (TRUTH)
            p.error = p.size * (term_bound(&row, j, most, c->rte) + divisor + BOUND_DIVISION + bound_basic(c->rte));
        emit_number(c, first + j, times(c, minus(c, p, j == class ? hot : cold), share));
    }
}

static inline void nll_backward_row(const struct call *c, int64_t first, int64_t class, struct number share) {
    share.value = -share.value;
    for (int64_t j = 0; j < c->dims[COLS]; j++) emit_number(c, first + j, j == class ? share : exactly(0));
}

#define GRADIENT_OF_ROWS(NAME)                                                                                         \
    REFERENCE(NAME##_backward, c) {                                                                                    \
        const int64_t cols = c->dims[COLS];                                                                            \
        const struct number count = counted(c, count_rows(c));                                                         \
        for (int64_t first = c->first; first < c->first + c->count; first += cols) {                                   \
            const int64_t class = class_of(c, first / cols);                                                           \
            if (class >= 0)                                                                                            \
                NAME##_backward_row(c, first, class, share_of(c, count));                                              \
            else                                                                                                       \
                for (int64_t j = 0; j < cols; j++) emit(c, first + j, 0, 0, 0);                                        \
        }                                                                                                              \
    }

// Returns dy / count by a quotient or a reciprocal, with the larger error of both.
static inline struct number share_of(const struct call *c, struct number count) {
    return times(c, exactly(c->in[target_operand(c) + 1][0]), over(exactly(1), count));
}
GRADIENT_OF_ROWS(cross_entropy)
GRADIENT_OF_ROWS(nll)

#define COUNTED                                                                                                        \
    "the mean over the counted rows (PyTorch reduction='mean'): ignore_index does not count, nor a target out of "     \
    "range, never used as an index (PyTorch stops there); NaN if none counts"
// clang-format off
#define SCORES_AND_TARGETS(LOW, HIGH, LINES, ...)                                                  \
    {"x", ROLE_IN, .shape = {"rows", "cols"}, .low = LOW, .high = HIGH, .lines = LINES, __VA_ARGS__}, \
    {"target", ROLE_IN, DTYPE_I32, .shape = {"rows"}, .fill = FILL_OUT_OF_RANGE, .below = "cols"}
#define UPSTREAM {"dy", ROLE_IN, .low = 0.5, .high = 1.5, .lines = LINES_BROKEN}
#define ROW_BY_ROW {"dx", ROLE_OUT, .shape = {"rows", "cols"}, .granule = {"cols"}}
#define IGNORED {"ignore_index", .standard = -100, .integer = true, .low = INT32_MIN, .high = INT32_MAX, TELLING(0, 1, -1, INT32_MIN)}
#define SMOOTHED {"label_smoothing", .standard = 0.1, .low = 0, .high = 1, TELLING(0, 0.5, 1)}
// clang-format on

COST(cross_entropy_flops, 5 * D(ROWS) * D(COLS))          // compare, subtract, exp, two additions
COST(cross_entropy_backward_flops, 7 * D(ROWS) * D(COLS)) // softmax's five, subtract, scale
COST(counting_flops, D(ROWS))
COST(nll_flops, D(ROWS))
COST(nll_bytes, 8 * D(ROWS) + 4)
COST(nll_backward_bytes, 4 * (D(ROWS) * D(COLS) + D(ROWS) + 1))

OPERATOR(cross_entropy) = {
    NAMED(cross_entropy, "training"),
    .summary = "cross-entropy of logits against classes, with label smoothing",
    .formula = "y = mean over i of lse(x[i]) - (1 - s) x[i, target[i]] - s mean(x[i])",
    .source = "PyTorch, torch.nn.functional.cross_entropy; C. Szegedy et al., Rethinking the "
              "Inception architecture, arXiv:1512.00567, 7",
    .conventions = COUNTED "; s = label_smoothing, shared out among all classes, the target's too; a "
                           "term of weight 0 (s = 0, s = 1) is left out even where it is infinite",
    .systems = "LT",
    .dims = {"rows", "cols"},
    .operands = {SCORES_AND_TARGETS(-4, 4, LINES_SCARCE, OUTLIER_OF_LOGITS("cols", 1)),
        {.name = "y", .role = ROLE_OUT}},
    .params = {IGNORED, SMOOTHED},
    .flops = cross_entropy_flops,
    .bound =
        "the logarithm as in logsumexp; " RUNNING_BOUND
        "; the sums over a row and over the rows (see sum) at the sums of the absolute terms. The allowed errors of "
        "the exponentials and rescalings average out over a row and over the rows, so observed errors stay far below",
};

OPERATOR(nll) = {
    NAMED(nll, "training"),
    .summary = "negative log-likelihood of classes",
    .formula = "y = -mean over i of x[i, target[i]]",
    .source = "PyTorch, torch.nn.functional.nll_loss",
    .conventions = COUNTED "; x is a logarithm already",
    .systems = "LT",
    .dims = {"rows", "cols"},
    .operands = {SCORES_AND_TARGETS(-8, 0, LINES_SCARCE, .outlier = {0}), {.name = "y", .role = ROLE_OUT}},
    .params = {IGNORED},
    .flops = nll_flops,
    .bytes = nll_bytes,
    .bound = "the sum (see sum); 2.5 ULP of the division",
};

OPERATOR(cross_entropy_backward) = {
    NAMED(cross_entropy_backward, "training"),
    .summary = "gradient of cross_entropy with respect to the logits",
    .formula = "dx[i, j] = dy / count (softmax(x[i])[j] - (1 - s) [j = target[i]] - s / cols)",
    .source = "PyTorch, torch.nn.functional.cross_entropy",
    .conventions = COUNTED "; an ignored row has a gradient of 0",
    .systems = "LT",
    .dims = {"rows", "cols"},
    .operands = {SCORES_AND_TARGETS(-4, 4, LINES_INFINITE, .outlier = {0}), UPSTREAM, ROW_BY_ROW},
    .params = {IGNORED, SMOOTHED},
    .flops = cross_entropy_backward_flops,
    .call_flops = counting_flops,
    .bound = "of softmax as there, at softmax and the label's share; " RUNNING_BOUND,
};

OPERATOR(nll_backward) = {
    NAMED(nll_backward, "training"),
    .summary = "gradient of nll with respect to the log-likelihoods",
    .formula = "dx[i, j] = j = target[i] ? -dy / count : 0",
    .source = "PyTorch, torch.nn.functional.nll_loss",
    .conventions = COUNTED "; an ignored row has a gradient of 0",
    .systems = "LT",
    .dims = {"rows", "cols"},
    .operands = {{"target", ROLE_IN, DTYPE_I32, .shape = {"rows"}, .fill = FILL_OUT_OF_RANGE, .below = "cols"},
        UPSTREAM, ROW_BY_ROW},
    .params = {IGNORED},
    .flops = nll_flops,
    .call_flops = counting_flops,
    .bytes = nll_backward_bytes,
    .bound = "dy / count by a division, or a reciprocal and a product; 0 elsewhere",
};
