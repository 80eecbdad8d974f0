// SPDX-License-Identifier: Apache-2.0
// Activations: smooth gates, piecewise linear functions, and the gated products of feed-forward layers.
#include "maps.h"

#define FAMILY "activation"

// Returns the bound of gelu with t = erf(z), z = x / sqrt(2). A product and a constant round z, and t receives z
// times erf's slope of this error.
static inline double gelu_erf_bound(double x, double magnitude, bool rte) {
    double z = x * 0.70710678118654752440, slope = 1.12837916709551257390 * exp(-z * z);
    double moved = isinf(z) ? 0 : 2 * bound_basic(rte) * fabs(z) * slope;
    return ulps_at(bound_gelu(bound_erf(z, rte) + moved, erf(z), rte), magnitude);
}

// Returns the bound of the logistic function of z = 1.702 x, times x. The constant and the product round. Their error
// reaches the result by |z| times the share of the exponential; then follows a product.
static inline double gelu_quick_bound(double z, double y, bool rte) {
    double basic = bound_basic(rte), share = 1 / (1 + exp(z));
    double moved = isinf(z) ? 0 : 2 * basic * fabs(z) * share;
    return ulps_at(bound_logistic(z, rte) + moved + basic, y);
}

// Returns the part, in epsilon, that a vanishing gate of about `size` adds to its product with `up`. Below 2^-126 the
// gate may be flushed: all of it is lost, and 1 is 2^23 epsilons. An infinite factor leaves the result open.
static inline double vanishing(double size, double up) {
    if (!(fabs(size) < 0x1p-125)) return 0;
    return isinf(up) ? INFINITY : 0x1p23;
}

// Returns the bound of silu times `up`. If its divisor is above 2^126, silu may vanish (bound_logistic).
static inline double swiglu_bound(double gate, double up, double y, bool rte) {
    if (isinf(up) && exp(-gate) > 0x1p126) return INFINITY;
    double units = bound_logistic(gate, rte) + 2 * bound_basic(rte);
    return ulps_at(units + vanishing(gate / (1 + exp(-gate)), up), y);
}

// Returns the bound of log(1 + exp(x)). The error of exp counts by its share e / (1 + e). Then follow a sum, a
// logarithm, and the sum with max(x, 0). A logarithm near 0 errs by an absolute 2^-21, any other by 3 ULP.
static inline double softplus_bound(double x, double y, bool rte) {
    double basic = bound_basic(rte), share = 1 / (1 + exp(-x));
    return ulps_of((bound_exp(x) * share + basic) * 0x1p-23 + 0x1p-21, y) + 3 + basic;
}

// Returns the bound of alpha (exp(x) - 1) for negative x: the error of exp stays while the difference cancels. So does
// that of the product in alpha exp(x) - alpha.
static inline double elu_bound(double x, double alpha, double y, bool rte) {
    if (x > 0) return 0;
    return ulps_of(fabs(alpha) * exp(x) * (bound_exp(x) + bound_basic(rte)) * 0x1p-23, y) + 2 * bound_basic(rte);
}

// Returns the bound of the logistic function, by an exponential or by tanh. The second is absolute: 0.5 tanh(x / 2) +
// 0.5 cancels for negative x.
static inline double sigmoid_bound(double x, double y, bool rte) {
    return fmax(ulps_at(bound_logistic(x, rte), y), ulps_of(bound_logistic_by_tanh(x, rte) * 0x1p-23, y));
}

UNARY(sigmoid, 3, 1 / (1 + exp(-x)), sigmoid_bound((double)x, (double)y, c->rte), .summary = "logistic function",
    .formula = "y = 1 / (1 + exp(-x))", .source = "PyTorch, torch.sigmoid",
    .conventions = "0 and 1 far out, never NaN for a number", .systems = "LT TS CF TF", .operands = X_TO_Y(-8, 8),
    .bound = "epsilons: (3 + 2|x|) / (1 + exp(x)) of exp by its share of the divisor, a basic "
             "operation, 2.5 of the division; 1 relative where 1 + exp(-x) is above 2^126. Or, absolute, "
             "half of tanh's at x / 2 and a basic operation, as 0.5 tanh(x / 2) + 0.5")

MAP(gelu_erf, 6, INPUT_X, (real)0.5 * x * (1 + erf(x * (real)0.70710678118654752440)),
    0.5 * fabs((double)x) * (1 + fabs(erf((double)x * 0.70710678118654752440))),
    gelu_erf_bound((double)x, 0.5 * fabs((double)x) * (1 + fabs(erf((double)x * 0.70710678118654752440))), c->rte),
    .summary = "Gaussian error linear unit", .formula = "y = 0.5 x (1 + erf(x / sqrt(2)))",
    .source = "D. Hendrycks and K. Gimpel, Gaussian error linear units, arXiv:1606.08415 (2016)",
    .conventions = "the erf form (PyTorch's default), not tanh and not the quick form; gelu(-inf) = "
                   "NaN, as the formula and PyTorch have it",
    .systems = "CF", .operands = X_TO_Y(-8, 8),
    .bound = "epsilons at 0.5|x| (1 + |t|): of t = erf(z) as for erf, two roundings of z = x / sqrt(2) "
             "by z times erf's slope; two basic operations for 1 + t, two for the products")

UNARY(gelu_quick, 5, x / (1 + exp((real)-1.702 * x)), gelu_quick_bound(1.702 * (double)x, (double)y, c->rte),
    .summary = "Gaussian error linear unit, sigmoid form", .formula = "y = x / (1 + exp(-1.702 x))",
    .source = "D. Hendrycks and K. Gimpel, Gaussian error linear units, arXiv:1606.08415 (2016)",
    .conventions = "the sigmoid form (GGML gelu_quick, CLIP), not erf and not tanh; gelu(-inf) = NaN, "
                   "as the formula has it",
    .systems = "", .operands = X_TO_Y(-6, 6),
    .bound = "epsilons: the logistic function's at z = 1.702 x, two roundings of z by |z| times the "
             "exponential's share, a product")

UNARY(elu, 3, x > 0 ? x : P(0) * (exp(x) - 1), elu_bound((double)x, c->params[0], (double)y, c->rte),
    .summary = "exponential linear unit", .formula = "y = x > 0 ? x : alpha (exp(x) - 1)",
    .source = "D.-A. Clevert, T. Unterthiner and S. Hochreiter, Fast and accurate deep network "
              "learning by exponential linear units, ICLR 2016",
    .conventions = "the error is absolute near 0, as that of exp(x) - 1 is", .systems = "CF", .operands = X_TO_Y(-8, 4),
    .params = {{"alpha", .standard = 1, TELLING(0, 0.3, -2.7, 70001)}},
    .bound = "exact for x > 0; else alpha exp(x) times 3 + 2|x| epsilon of exp and a basic operation, and two basic "
             "operations")

UNARY(leaky_relu, 1, x > 0 ? x : P(0) * x, x > 0 ? 0 : bound_basic(c->rte), .summary = "leaky rectified linear unit",
    .formula = "y = x > 0 ? x : slope x",
    .source = "A. Maas, A. Hannun and A. Ng, Rectifier nonlinearities improve neural network acoustic "
              "models, ICML 2013",
    .systems = "CF", .operands = X_TO_Y(-1, 1),
    .params = {{"slope", .standard = (double)0.01f, TELLING(0, 0.3, -0.7, 2.7)}},
    .bound = "exact for x > 0; else " BASIC_BOUND)

UNARY(softplus, 4, fmax(x, (real)0) + log(1 + exp(-fabs(x))), softplus_bound((double)x, (double)y, c->rte),
    .summary = "smooth rectifier", .formula = "y = log(1 + exp(x))",
    .source = "PyTorch, torch.nn.functional.softplus with beta 1",
    .conventions = "x for large x, never infinite for a number", .systems = "CF", .operands = X_TO_Y(-8, 24),
    .bound = "absolute: (3 + 2|x|) epsilon of exp by its share e / (1 + e), a basic operation, 2^-21 "
             "of the logarithm; 3 ULP of one that is not near 0, and a basic operation")

#define SIX_SHARES(x) ((x) + 3 < 0 ? 0 : (x) + 3 > 6 ? 6 : (x) + 3)

// Returns the sum of the absolute terms of x / 6 + 1/2, or 0 outside of the slope. A kernel's slope may end a rounding
// later, and 2^-8 is enough for it in any type.
static inline double slope_terms(double x) {
    return fabs(x) < 3 + 0x1p-8 ? (fabs(x) + 3) / 6 : 0;
}

// Returns the bound of clamp(x + 3, 0, 6) / 6, in epsilons at these terms: a sum and a division. As clamp(a x + b)
// with the constants a = 1/6 and b = 1/2, the constant, the product and the sum round, which is less.
static inline double slope_bound(bool rte) {
    return bound_basic(rte) + BOUND_DIVISION;
}

// Returns the bound of x times the slope. The product of x and 6 overflows where |x| is above 2^125. A compiler may
// divide x first; a subnormal quotient may be flushed, and all of it is lost: 1 is 2^23 epsilons.
static inline double hardswish_bound(double x, double y, bool rte) {
    if (fabs(x) > 0x1p125 && isfinite(x)) return INFINITY;
    const double flushed = fabs(x) < 6 * 0x1p-126 ? 0x1p23 : 0;
    return ulps_at(slope_bound(rte) + bound_basic(rte) + flushed, fmax(fabs(y), fabs(x) * slope_terms(x)));
}

UNARY(softsign, 3, x / (1 + fabs(x)), ulps_at(bound_basic(c->rte) + bound_division(1 + fabs((double)x)), (double)y),
    .summary = "x over one more than its size", .formula = "y = x / (1 + |x|)", .source = "PyTorch, torch.nn.Softsign",
    .conventions = "softsign(inf) = NaN, as the formula and PyTorch have it", .systems = "", .operands = X_TO_Y(-8, 8),
    .bound = "epsilons: a basic operation, 2.5 of the division; none where 1 + |x| is above 2^126")

MAP(hardswish, 4, INPUT_X, x *(SIX_SHARES(x) / 6), fmax(fabs((double)y), fabs((double)x) * slope_terms((double)x)),
    hardswish_bound((double)x, (double)y, c->rte), .summary = "swish of straight pieces",
    .formula = "y = x clamp(x + 3, 0, 6) / 6", .source = "A. Howard et al., Searching for MobileNetV3, ICCV 2019",
    .conventions = "NaN stays NaN; hardswish(-inf) = NaN, as the formula and PyTorch have it", .systems = "",
    .operands = X_TO_Y(-5, 5),
    .bound =
        "epsilons at |x| (|x| + 3) / 6 on the slope: a sum, 2.5 of the division, a product; x clamp(x / 6 + 1/2) "
        "stays within; none above 2^125, where 6 x overflows, nor below 6 times 2^-126, where x / 6 may be flushed")

MAP(hardsigmoid, 3, INPUT_X, SIX_SHARES(x) / 6, fmax(fabs((double)y), slope_terms((double)x)),
    ulps_at(slope_bound(c->rte), fmax(fabs((double)y), slope_terms((double)x))),
    .summary = "logistic function of straight pieces", .formula = "y = clamp(x + 3, 0, 6) / 6",
    .source = "A. Howard et al., Searching for MobileNetV3, ICCV 2019",
    .conventions = "slope 1/6, as PyTorch (Keras and ONNX: 1/5); NaN stays NaN", .systems = "",
    .operands = X_TO_Y(-5, 5),
    .bound = "epsilons at (|x| + 3) / 6 on the slope: a sum, 2.5 of the division; clamp(x / 6 + 1/2) stays within")

// Returns the bound of clamp: an end of the range that the type does not have is rounded by the store.
static inline double clamp_bound(double y, double x, enum dtype dtype) {
    return y == x || isnan(y) || dtype_round(dtype, y) == y ? 0 : 0.5;
}

UNARY(clamp, 2, x<P(0) ? P(0) : x> P(1) ? P(1) : x, clamp_bound((double)y, (double)x, c->dtype),
    .summary = "values outside a range become its end", .formula = "y = min(max(x, low), high)",
    .source = "PyTorch, torch.clamp", .conventions = "NaN stays NaN", .systems = "CF", .operands = X_TO_Y(-1, 1),
    .params = {{"low", .standard = -0.5, TELLING(-0.1, -1.5, -70001)},
        {"high", .standard = 0.5, TELLING(0, 1.5, 70001)}},
    .bound = "exact: a selection; an end not in the type is rounded")

#define GATE_UP_TO_Y                                                                                                   \
    { SPECIAL(gate, -8, 8), SPECIAL(up, -2, 2), RESULT_Y }
#define GLU_SOURCE "N. Shazeer, GLU variants improve transformer, arXiv:2002.05202 (2020)"

BINARY(swiglu, 4, a / (1 + exp(-a)) * b, swiglu_bound((double)a, (double)b, (double)y, c->rte),
    .summary = "product gated by silu", .formula = "y = gate / (1 + exp(-gate)) * up", .source = GLU_SOURCE,
    .systems = "TL", .operands = GATE_UP_TO_Y, .bound = "epsilons: silu's, a product")

// As gelu_tanh in activation.c, times b.
#define GELU_Z(a) ((real)0.79788456080286535588 * ((a) + (real)0.044715 * (a) * (a) * (a)))

MAP(geglu, 10, INPUTS_A_B, (real)0.5 * a * (1 + tanh(GELU_Z(a))) * b,
    fabs(0.5 * (double)a * (1 + fabs(tanh((double)GELU_Z(a)))) * (double)b),
    ulps_at(bound_gelu_tanh((double)GELU_Z(a), c->rte) + bound_basic(c->rte) + vanishing(a, b),
        fabs(0.5 * (double)a * (1 + fabs(tanh((double)GELU_Z(a)))) * (double)b)),
    .summary = "product gated by gelu", .formula = "y = 0.5 gate (1 + tanh(sqrt(2/pi) (gate + 0.044715 gate^3))) * up",
    .source = GLU_SOURCE, .conventions = "gelu in its tanh form (T5 1.1, Gemma, GGML geglu), not erf", .systems = "TL",
    .operands = GATE_UP_TO_Y, .bound = "epsilons at the magnitude: gelu_tanh's, a product")

BINARY(reglu, 2, (a > 0 ? a : 0) * b, bound_basic(c->rte), .summary = "product gated by relu",
    .formula = "y = (gate > 0 ? gate : 0) * up", .source = GLU_SOURCE,
    .conventions = "relu(NaN) = 0, as the comparison has it", .systems = "TL", .operands = GATE_UP_TO_Y,
    .bound = BASIC_BOUND)
