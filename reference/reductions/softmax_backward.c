// SPDX-License-Identifier: Apache-2.0
// Gradients of softmax and of its logarithm, from the saved results. Bounds are in epsilons (bounds.h), to first
// order; `basic` is one correctly rounded operation.
#include "../sums.h"
#include "../products.h"

static inline double per_magnitude(double error, double magnitude) {
    return magnitude > 0 ? ulps_at(error / magnitude, magnitude) : 0;
}

// dx = y (dy - sum(dy y)). The sum errs at the sum of its absolute terms; then follow a difference and a product.
REFERENCE(softmax_backward, c) {
    const int64_t cols = c->dims[1];
    const double basic = bound_basic(c->rte), sum_bound = bound_dot_of(c, cols - 1);
    for (int64_t first = c->first; first < c->first + c->count; first += cols) {
        const real *dy = c->in[0] + first, *y = c->in[1] + first;
        double size = 0;
        const real sum = dot(dy, y, cols, &size);
        for (int64_t j = 0; j < cols; j++) {
            const real left = dy[j] - sum, dx = y[j] * left;
            const double weight = fabs((double)y[j]);
            const double magnitude = weight * (fabs((double)dy[j]) + size);
            const double error = weight * size * sum_bound + 2 * basic * size_of(dx);
            const bool open = is_infinite_or_nan((double)y[j], 0, (double)left);
            emit(c, first + j, dx, magnitude, TRUTH && !open ? per_magnitude(error, magnitude) : INFINITY);
        }
    }
}

// dx = dy - exp(y) sum(dy).
REFERENCE(log_softmax_backward, c) {
    const int64_t cols = c->dims[1];
    const double basic = bound_basic(c->rte), sum_bound = bound_sum_of(c, cols - 1);
    for (int64_t first = c->first; first < c->first + c->count; first += cols) {
        const real *dy = c->in[0] + first, *y = c->in[1] + first;
        double size = 0;
        real sum = 0;
        for (int64_t j = 0; j < cols; j++) {
            sum += dy[j];
            if (TRUTH) size += fabs((double)dy[j]);
        }
        for (int64_t j = 0; j < cols; j++) {
            const real weight = exp(y[j]), dx = dy[j] - weight * sum;
            const double magnitude = fabs((double)dy[j]) + (double)weight * size;
            const double error =
                (double)weight * (size * sum_bound + fabs((double)sum) * (bound_exp((double)y[j]) + basic)) +
                basic * fabs((double)dx);
            emit(c, first + j, dx, magnitude, TRUTH ? per_magnitude(error, magnitude) : 0);
        }
    }
}

// clang-format off
#define ROW_WISE(LOW, HIGH, LINES)                                                                 \
    .systems = "LT", .dims = {"rows", "cols"},                                 \
    .operands = {{"dy", ROLE_IN, .shape = {"rows", "cols"}, .low = -0.25, .high = 1,               \
         .lines = LINES_ANY},                                                                   \
        {"y", ROLE_IN, .shape = {"rows", "cols"}, .low = LOW, .high = HIGH, .lines = LINES},       \
        {"dx", ROLE_OUT, .shape = {"rows", "cols"}, .granule = {"cols"}}}
// clang-format on

COST(softmax_backward_flops, 4 * D(0) * D(1))

OPERATOR(softmax_backward) = {
    NAMED(softmax_backward, "backward"),
    ROW_WISE(0, 0.0625, LINES_ALIKE),
    .summary = "gradient of softmax over rows",
    .formula = "dx = y (dy - sum(dy * y))",
    .source = "PyTorch, _softmax_backward_data",
    .conventions = "from the saved result y, as PyTorch; the rows of y need not sum to 1",
    .flops = softmax_backward_flops,
    .bound = "epsilons at |y| (|dy| + sum|dy y|): the sum of products at its absolute terms; two "
             "basic operations of the result",
};

OPERATOR(log_softmax_backward) = {
    NAMED(log_softmax_backward, "backward"),
    ROW_WISE(-8, 0, LINES_MASKED),
    .summary = "gradient of the logarithm of softmax over rows",
    .formula = "dx = dy - exp(y) sum(dy)",
    .source = "PyTorch, _log_softmax_backward_data",
    .conventions = "from the saved result y, as PyTorch",
    .flops = softmax_backward_flops, // add; exp, product, difference
    .bound = "epsilons at |dy| + exp(y) sum|dy|: the sum at its absolute terms; 3 + 2|y| of exp and a product at their "
             "result; a basic operation of the result",
};
