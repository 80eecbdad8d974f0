// SPDX-License-Identifier: Apache-2.0
// Gradients of pooling: each input gathers from the windows that contain it.
#include "pools.h"

// Gathers from windows in which it is the largest element, the first of equals.
REFERENCE(max_pool2d_backward, c) {
    const struct axis y = max_pool2d_y(c->dims), x = max_pool2d_x(c->dims);
    const int64_t size = y.size * x.size;
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const int64_t at = i % size, plane = i / size;
        int64_t terms = 0;
        double magnitude = 0;
        real sum = 0;
        for (int64_t ky = 0; ky < y.taps; ky++) {
            const int64_t oy = output_at(&y, at / x.size, ky);
            for (int64_t kx = 0; oy >= 0 && kx < x.taps; kx++) {
                const int64_t ox = output_at(&x, at % x.size, kx);
                if (ox < 0 || !window_largest_is(c->in[0] + plane * size, &y, &x, oy, ox, at)) continue;
                const real term = c->in[1][(plane * y.outputs + oy) * x.outputs + ox];
                sum += term;
                terms++;
                if (TRUTH) magnitude += (double)fabs(term);
            }
        }
        emit(c, i, sum, magnitude, TRUTH && terms > 1 ? bound_sum_within(c, terms - 1) : 0);
    }
}

// Gathers its share of every window: a division, or a reciprocal and a product, for each.
REFERENCE(avg_pool2d_backward, c) {
    const struct axis y = avg_pool2d_y(c->dims), x = avg_pool2d_x(c->dims);
    const bool padding_counts = c->params[0] != 0;
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const int64_t col = i % x.size, row = i / x.size % y.size, plane = i / (x.size * y.size);
        int64_t terms = 0;
        double magnitude = 0, bound = 0;
        real sum = 0;
        for (int64_t ky = 0; ky < y.taps; ky++) {
            const int64_t oy = output_at(&y, row, ky);
            for (int64_t kx = 0; oy >= 0 && kx < x.taps; kx++) {
                const int64_t ox = output_at(&x, col, kx);
                if (ox < 0) continue;
                const real term = c->in[0][(plane * y.outputs + oy) * x.outputs + ox] /
                                  (real)window_divisor(&y, &x, oy, ox, padding_counts);
                sum += term;
                terms++;
                if (TRUTH) magnitude += (double)fabs(term);
            }
        }
        if (TRUTH && terms > 0)
            bound = bound_sum_within(c, terms - 1) + ulps_at(BOUND_DIVISION + bound_basic(c->rte), magnitude);
        emit(c, i, sum, magnitude, bound);
    }
}

// Each incoming gradient is added once, and compared or divided as often as necessary.
COST(max_pool2d_backward_flops, D(0) * D(1) * D(10) * D(11) * D(4) * D(5))
COST(avg_pool2d_backward_flops, D(0) * D(1) * D(9) * D(10) * (D(4) * D(5) + 1))

OPERATOR(max_pool2d_backward) = {
    NAMED(max_pool2d_backward, "convolution"),
    .summary = "gradient of max_pool2d: to the largest element of each window",
    .formula = "dx[n, c, r, s] = sum of dy[n, c, i, j] over windows (i, j) with x[n, c, r, s] as first largest element",
    .source = "the derivative of max_pool2d; PyTorch, torch.nn.MaxPool2d",
    .conventions = "of equal elements the first, row by row, takes it all, of -inf too; NaN is never "
                   "the larger, and a window of nothing else gives none",
    .systems = "LT",
    MAX_POOL2D_DIMS,
    .operands = {{"x", ROLE_IN, .shape = {"n", "c", "h", "w"}, MAX_POOL_FILL},
        {"dy", ROLE_IN, .shape = {"n", "c", "oh", "ow"}, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"dx", ROLE_OUT, .shape = {"n", "c", "h", "w"}}},
    .flops = max_pool2d_backward_flops,
    .bound = "ULP at the sum of the |dy| added: an addition for each but the first",
};

OPERATOR(avg_pool2d_backward) = {
    NAMED(avg_pool2d_backward, "convolution"),
    .summary = "gradient of avg_pool2d: shared out over each window",
    .formula = "dx[n, c, r, s] = sum over windows (i, j) with (r, s) of dy[n, c, i, j] / count",
    .source = "the derivative of avg_pool2d; PyTorch, torch.nn.AvgPool2d",
    .conventions = "count as in avg_pool2d",
    .systems = "LT",
    AVG_POOL2D_DIMS,
    .operands = {{"dy", ROLE_IN, .shape = {"n", "c", "oh", "ow"}, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"dx", ROLE_OUT, .shape = {"n", "c", "h", "w"}}},
    .params = {COUNT_INCLUDE_PAD},
    .flops = avg_pool2d_backward_flops,
    .bound = "ULP at the sum of the |terms|: an addition for each but the first; 2.5 of the "
             "division and a product as a relative error",
};
