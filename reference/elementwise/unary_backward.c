// SPDX-License-Identifier: Apache-2.0
// Gradients of functions of one number: dx = dy f'(x). They are written in x or, if cheaper, in the saved result y =
// f(x).
#include "maps.h"

#define FAMILY "backward"
#define SEEDS "LT"
#define DY_AND_X dy = c->in[0][i], x = c->in[1][i]
#define DY_AND_S dy = c->in[0][i], s = c->in[1][i]

// Returns the bound of dy times a factor with terms of `size` and an error of `error` epsilons of 1. The unit is ULP
// at |dy| size. Results that are not finite are judged by class.
static inline double times(double dy, double error, double size) {
    const double units = error / size;
    if (!isfinite(units) || isnan(dy)) return bound_basic(true);
    // Near the subnormal numbers the spacing stays constant, so the product's own rounding is added to the rest.
    const double spacing = fabs(dy) * size < 0x1p-120 ? bound_basic(true) : 0;
    return ulps_at(units, fabs(dy) * size) + spacing;
}

// Returns the bound of 1 - s^2 at 1 + s^2, because the square may be rounded before the difference. Or it is (1 - s)
// (1 + s), with three operations. Then follows the product with dy.
static inline double tanh_backward_bound(double dy, double s, bool rte) {
    const double basic = bound_basic(rte), square = s * s;
    return times(dy, basic * (square + 4 * fabs(1 - square)), 1 + square);
}

// Returns the size of s (1 + x r), with the logistic function s and r = 1 - s. The absolute error of r is that of s.
static inline double silu_slope_size(double x) {
    const double s = 1 / (1 + exp(-x));
    return s * (1 + fabs(x) / (1 + exp(x)));
}

static inline double silu_backward_bound(double dy, double x, bool rte) {
    if (isinf(dy) && exp(-x) > 0x1p126) return INFINITY; // s may vanish (bound_logistic)
    const double basic = bound_basic(rte), logistic = bound_logistic(x, rte);
    const double s = 1 / (1 + exp(-x)), rest = 1 / (1 + exp(x)), factor = fabs(1 + x * rest);
    const double inner = fabs(x) * (logistic * s + 2 * basic * rest) + basic * factor;
    return times(dy, s * (factor * (logistic + 2 * basic) + inner), silu_slope_size(x));
}

#define ROOT_2_OVER_PI 0.79788456080286535588
#define ROOT_HALF 0.70710678118654752440
#define NORMAL_DENSITY 0.39894228040143267794 // at 0

// Parts of (1 + t) / 2 + x (1 - t^2) z' / 2 with t = tanh(z), z = sqrt(2/pi) (x + 0.044715 x^3).
struct gelu {
    double z, t, slope; // slope of z
    double gate, bend;  // the sizes of the two terms
};

static inline struct gelu gelu_tanh_parts(double x) {
    struct gelu g = {
        .z = ROOT_2_OVER_PI * (x + 0.044715 * x * x * x), .slope = ROOT_2_OVER_PI * (1 + 3 * 0.044715 * x * x)};
    const double c = cosh(fmin(fabs(g.z), 300));
    g.t = tanh(g.z);
    g.gate = 0.5 * (1 + fabs(g.t));
    g.bend = 0.5 * fabs(x) * g.slope / (c * c);
    return g;
}

static inline real gelu_tanh_slope(real x) {
    const real z = (real)ROOT_2_OVER_PI * (x + (real)0.044715 * x * x * x), c = cosh(z);
    const real slope = (real)ROOT_2_OVER_PI * (1 + 3 * (real)0.044715 * x * x);
    return (real)0.5 * (1 + tanh(z)) + (real)0.5 * x * slope / (c * c);
}

// Returns the bound of gelu's slope. t errs as in gelu_tanh, and 1 - t^2 receives 2 |t| times this error. The square
// and the difference round at no more than 1. The slope has four operations and two constants, and there are three
// products.
static inline double gelu_tanh_backward_bound(double dy, double x, bool rte) {
    if (fabs(x) > 0x1p42) return INFINITY; // the cube overflows and meets a vanishing density
    const struct gelu g = gelu_tanh_parts(x);
    const double basic = bound_basic(rte), c = cosh(fmin(fabs(g.z), 300));
    const double t = bound_tanh(g.z, rte) + 7 * basic * fabs(g.z) / (c * c);
    const double bend = 0.5 * fabs(x) * g.slope * (2 * fabs(g.t) * t + basic * (g.t * g.t)) + g.bend * 10 * basic;
    const double error = 0.5 * t + basic * g.gate + bend + 2 * basic * (g.gate + g.bend);
    return times(dy, error, g.gate + g.bend);
}

// Returns the size of the second term of (1 + t) / 2 + x density with t = erf(z), z = x / sqrt(2).
static inline double gelu_erf_bend(double x) {
    return fabs(x) * NORMAL_DENSITY * exp(-0.5 * x * x);
}

// Returns the bound of gelu's slope in its erf form. t errs as in gelu_erf. The exponential has its own error and the
// rounding of the square; then follow two products and a constant.
static inline double gelu_erf_backward_bound(double dy, double x, bool rte) {
    const double basic = bound_basic(rte), z = x * ROOT_HALF, t = erf(z);
    const double slope = 1.12837916709551257390 * exp(-z * z), half = 0.5 * fmin(x * x, 2000);
    const double moved = 2 * basic * fmin(fabs(z), 100) * slope;
    const double gate = 0.5 * (1 + fabs(t)), bend = gelu_erf_bend(x);
    const double error = 0.5 * (bound_erf(z, rte) + moved) + basic * gate +
                         bend * (bound_exp(half) + basic * (half + 3)) + 2 * basic * (gate + bend);
    return times(dy, error, gate + bend);
}

// Returns the bound of elu's gradient. An exponential below the normal numbers may be flushed to 0, an error of 2^23
// epsilons.
static inline double elu_backward_bound(double dy, double x, double y, bool rte) {
    const bool vanishes = exp(x) < 0x1p-125;
    if (x > 0) return 0;
    if (vanishes && isinf(dy)) return INFINITY;
    return ulps_at(bound_exp(x) + 2 * bound_basic(rte) + (vanishes ? 0x1p23 : 0), y);
}

// clang-format off
#define SAVED(NAME, LOW, HIGH) {#NAME, ROLE_IN, .shape = {"n"}, .low = LOW, .high = HIGH}
#define TO_DX {"dx", ROLE_OUT, .shape = {"n"}}
// clang-format on
#define DY_X_TO_DX(LOW, HIGH)                                                                                          \
    { SPECIAL(dy, -1, 1), SPECIAL(x, LOW, HIGH), TO_DX }
// Operands for functions with results in a limited range.
#define DY_Y_TO_DX(LOW, HIGH)                                                                                          \
    { SPECIAL(dy, -1, 1), SAVED(y, LOW, HIGH), TO_DX }
#define FROM_RESULT "from the saved result y, as PyTorch; "

MAP(relu_backward, 1, DY_AND_X, x > 0 ? dy : 0, 0, 0, .summary = "gradient of relu", .formula = "dx = x > 0 ? dy : 0",
    .source = "PyTorch, relu and threshold_backward",
    .conventions = "0 at x = 0, and at NaN as relu has it (PyTorch passes dy on there)", .systems = SEEDS,
    .operands = DY_X_TO_DX(-1, 1), .bound = "exact: a selection")

MAP(sigmoid_backward, 3, DY_AND_S, dy *((1 - s) * s), 0, ulps_at(3 * bound_basic(c->rte), (double)y),
    .summary = "gradient of the logistic function", .formula = "dx = dy y (1 - y)",
    .source = "PyTorch, sigmoid_backward", .conventions = FROM_RESULT "y is in [0, 1]", .systems = SEEDS,
    .operands = DY_Y_TO_DX(0, 1), .bound = "epsilons: three basic operations, as 1 - y is rounded but once")

MAP(tanh_backward, 3, DY_AND_S, dy *(1 - s * s), fabs((double)dy) * (1 + (double)s * (double)s),
    tanh_backward_bound((double)dy, (double)s, c->rte), .summary = "gradient of tanh", .formula = "dx = dy (1 - y^2)",
    .source = "PyTorch, tanh_backward", .conventions = FROM_RESULT "y is in [-1, 1]", .systems = SEEDS,
    .operands = DY_Y_TO_DX(-1, 1),
    .bound =
        "epsilons at |dy| (1 + y^2): a basic operation of y^2, and four at the rest, because it may be (1 - y) (1 + y)")

MAP(exp_backward, 1, DY_AND_S, (dy * s), 0, bound_basic(c->rte), .summary = "gradient of exp", .formula = "dx = dy y",
    .source = "PyTorch, derivatives.yaml, exp", .conventions = FROM_RESULT "the derivative is y itself",
    .systems = SEEDS, .operands = DY_Y_TO_DX(0, 8), .bound = BASIC_BOUND)

MAP(log_backward, 1, DY_AND_X, dy / x, 0, bound_division((double)x), .summary = "gradient of the natural logarithm",
    .formula = "dx = dy / x", .source = "PyTorch, derivatives.yaml, log",
    .conventions = "as the division has it where x is not positive and has no logarithm", .systems = SEEDS,
    .operands = DY_X_TO_DX(0, 8), .bound = "2.5 ULP (Vulkan, OpFDiv) for |x| in [2^-126, 2^126]; none beyond")

MAP(sqrt_backward, 2, DY_AND_S, dy / (2 * s), 0, bound_division(2 * (double)s),
    .summary = "gradient of the square root", .formula = "dx = dy / (2 y)", .source = "PyTorch, derivatives.yaml, sqrt",
    .conventions = FROM_RESULT "infinite at y = 0", .systems = SEEDS,
    .operands = {SPECIAL(dy, -1, 1), SPECIAL(y, 0, 2), TO_DX},
    .bound = "2.5 ULP (Vulkan, OpFDiv) for 2y in [2^-126, 2^126], as 2y is exact; none beyond")

MAP(silu_backward, 8, DY_AND_X, dy *(1 / (1 + exp(-x))) * (1 + x * (1 / (1 + exp(x)))),
    fabs((double)dy) * silu_slope_size((double)x), silu_backward_bound((double)dy, (double)x, c->rte),
    .summary = "gradient of silu", .formula = "dx = dy s (1 + x (1 - s)), s = 1 / (1 + exp(-x))",
    .source = "PyTorch, silu_backward", .conventions = "NaN at both infinities, as the formula and PyTorch have it",
    .systems = SEEDS, .operands = DY_X_TO_DX(-8, 8),
    .bound = "epsilons at |dy| s (1 + |x| (1 - s)): sigmoid's of s; 1 - s has the same absolute error, and x "
             "multiplies it; basic operations of the others")

MAP(gelu_tanh_backward, 16, DY_AND_X, dy *gelu_tanh_slope(x),
    fabs((double)dy) * (gelu_tanh_parts((double)x).gate + gelu_tanh_parts((double)x).bend),
    gelu_tanh_backward_bound((double)dy, (double)x, c->rte), .summary = "gradient of gelu in its tanh form",
    .formula = "dx = dy ((1 + t) / 2 + x (1 - t^2) z' / 2), t = tanh(z), z = sqrt(2/pi) (x + "
               "0.044715 x^3)",
    .source = "PyTorch, gelu_backward, approximate='tanh'",
    .conventions = "the derivative of gelu_tanh; open beyond 2^60, where x^2 overflows", .systems = SEEDS,
    .operands = DY_X_TO_DX(-4, 4),
    .bound = "epsilons at |dy| times both terms: gelu_tanh's of t, half of it and |x t| z' times "
             "it; basic operations of the square, the slope and the products")

MAP(gelu_erf_backward, 14, DY_AND_X,
    dy *((real)0.5 * (1 + erf(x * (real)ROOT_HALF)) + x * ((real)NORMAL_DENSITY * exp((real)-0.5 * x * x))),
    fabs((double)dy) * (0.5 * (1 + fabs(erf((double)x * ROOT_HALF))) + gelu_erf_bend((double)x)),
    gelu_erf_backward_bound((double)dy, (double)x, c->rte), .summary = "gradient of gelu",
    .formula = "dx = dy ((1 + erf(x / sqrt(2))) / 2 + x exp(-x^2 / 2) / sqrt(2 pi))",
    .source = "PyTorch, gelu_backward, approximate='none'",
    .conventions = "the derivative of gelu_erf; NaN at both infinities, as the formula has it", .systems = SEEDS,
    .operands = DY_X_TO_DX(-4, 4),
    .bound = "epsilons at |dy| times both terms: gelu_erf's of erf; 3 + x^2 of exp and x^2 / 2 "
             "basic operations of its argument; basic operations of the products and sums")

MAP(elu_backward, 3, DY_AND_X, x > 0 ? dy : dy * (P(0) * exp(x)), 0,
    elu_backward_bound((double)dy, (double)x, (double)y, c->rte), .summary = "gradient of elu",
    .formula = "dx = x > 0 ? dy : dy alpha exp(x)", .source = "PyTorch, elu_backward",
    .conventions = "from x, not from the result", .systems = SEEDS, .operands = DY_X_TO_DX(-4, 4),
    .params = {{"alpha", .standard = 1, .low = 0, .high = 100, TELLING(0, 0.3, 2.7)}},
    .bound = "epsilons: 3 + 2|x| of exp and two basic operations; exact for x > 0")
