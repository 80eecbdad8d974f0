// SPDX-License-Identifier: Apache-2.0
// Layers of neural networks made of matrix products. These are linear layers, with or without an activation in the
// same kernel, and the gated feed-forward block. Inputs are uniform in [-0.25, 1), see reduction.c.
#include "../sums.h"
#include "../products.h"

#include <stdlib.h>

// ---- linear layers ----

// Returns x w^T + b of one output, and the sum of its absolute terms.
static real linear_at(const struct call *c, int64_t i, double *magnitude) {
    const int64_t n = c->dims[1], k = c->dims[2];
    const real bias = c->in[2][i % n];
    *magnitude = size_of(bias);
    return dot(c->in[0] + i / n * k, c->in[1] + i % n * k, k, magnitude) + bias;
}

// Returns the bound of a linear layer; the bias is one more addition.
static double linear_bound(const struct call *c) {
    return bound_dot_of(c, c->dims[2]);
}

REFERENCE(linear, c) {
    const double bound = linear_bound(c);
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        double magnitude;
        const real sum = linear_at(c, i, &magnitude);
        emit(c, i, sum, magnitude, bound);
    }
}

// relu's slope is at most 1, so the result has the error of the sum.
REFERENCE(linear_relu, c) {
    const double bound = linear_bound(c);
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        double magnitude;
        const real sum = linear_at(c, i, &magnitude);
        emit(c, i, sum > 0 ? sum : 0, magnitude, bound);
    }
}

// Returns the bound of gelu: its slope is at most 1.13. Its own error counts at |z| (1 + |t|) / 2, at most |z|.
static double linear_gelu_bound(double sum, double z, double dot_bound, double magnitude, bool rte) {
    if (magnitude == 0 || !isfinite(sum)) return dot_bound; // an infinity stays one, whatever the errors
    double own = bound_gelu_tanh(z, rte) * fabs(sum) * (1 + fabs(tanh(z))) / 2;
    return 1.13 * dot_bound + ulps_at(own / magnitude, magnitude);
}

REFERENCE(linear_gelu, c) {
    const double bound = linear_bound(c);
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        double magnitude;
        const real x = linear_at(c, i, &magnitude);
        const real z = (real)0.79788456080286535588 * (x + (real)0.044715 * x * x * x);
        emit(c, i, (real)0.5 * x * (1 + tanh(z)), magnitude,
            TRUTH ? linear_gelu_bound((double)x, (double)z, bound, magnitude, c->rte) : 0);
    }
}

COST(linear_flops, D(0) * D(1) * (2 * D(2) + 1))
COST(linear_relu_flops, D(0) * D(1) * (2 * D(2) + 2))
COST(linear_gelu_flops, D(0) * D(1) * (2 * D(2) + 10))

#define LINEAR_CONVENTIONS "w is row-major, one row an output; the bias is always there"
#define LINEAR                                                                                                         \
    .dims = {"m", "n", "k"},                                                                                           \
    .operands = {FACTOR("x", "m", "k"), WEIGHTS("w", "n", "k"), FACTOR("bias", "n"), PRODUCT("y", "m", "n")}

OPERATOR(linear) = {
    NAMED(linear, "matrix"),
    .along = "n",
    .summary = "linear layer: rows times transposed weights, plus bias",
    .formula = "y[i, j] = sum over l of x[i, l] w[j, l] + bias[j]",
    .source = "PyTorch, torch.nn.functional.linear; quantised blocks: GGML, Q8_0 and Q4_0",
    .conventions = LINEAR_CONVENTIONS,
    .systems = "LT TL CF",
    LINEAR,
    .flops = linear_flops,
    .even_bound = true,
    .bound = DOT_BOUND "; the bias is one more term",
};

OPERATOR(linear_relu) = {
    NAMED(linear_relu, "matrix"),
    .summary = "linear layer and relu in one",
    .formula = "y[i, j] = max(sum over l of x[i, l] w[j, l] + bias[j], 0)",
    .source = "PyTorch, torch.nn.Linear and torch.nn.ReLU",
    .conventions = LINEAR_CONVENTIONS,
    .systems = "LT",
    LINEAR,
    .flops = linear_relu_flops,
    .even_bound = true,
    .bound = DOT_BOUND "; the bias is one more term, and relu's slope is at most 1",
};

OPERATOR(linear_gelu) = {
    NAMED(linear_gelu, "matrix"),
    .summary = "linear layer and gelu in one",
    .formula = "y[i, j] = gelu(sum over l of x[i, l] w[j, l] + bias[j])",
    .source = "PyTorch, torch.nn.Linear and torch.nn.GELU(approximate='tanh')",
    .conventions = LINEAR_CONVENTIONS "; gelu in its tanh form",
    .systems = "CF",
    LINEAR,
    .flops = linear_gelu_flops,
    .bound = "ULP at the sum's absolute terms: 1.13 (gelu's largest slope) times linear's, and "
             "gelu_tanh's own of the sum",
};

// ---- the gated feed-forward block ----

// A hidden value s = silu(g) u, and the largest error of a kernel, in epsilons. `own` comes from silu and the
// products and may be one-sided. `rounded` comes from the roundings of the sums g and u.
struct hidden {
    real value;
    double own, rounded;
    bool open; // an infinity or NaN (bounds.h)
};

static struct hidden hidden_at(const struct call *c, int64_t row, int64_t h) {
    const int64_t dim = c->dims[1];
    const real *x = c->in[0] + row * dim;
    double of_gate = 0, of_up = 0;
    const real gate = dot(x, c->in[1] + h * dim, dim, &of_gate);
    const real up = dot(x, c->in[2] + h * dim, dim, &of_up);
    const real share = 1 / (1 + exp(-gate));
    struct hidden out = {.value = gate * share * up};
    if (!TRUTH) return out;
    const double g = (double)gate, s = (double)share, sum = bound_dot(dim - 1, c->rte);
    const double slope = s * (1 + g * (1 - s));
    out.open =
        is_infinite_or_nan(g * s, sum * of_gate, (double)up) || is_infinite_or_nan((double)up, sum * of_up, g * s);
    out.own = fabs((double)out.value) * (bound_logistic(g, c->rte) + 2 * bound_basic(c->rte));
    out.rounded = sum * (fabs((double)up * slope) * of_gate + fabs(g * s) * of_up);
    return out;
}

// Returns the bound of an output. The roundings of different hidden values are independent. When rounding to nearest,
// the lambda of bound_sum therefore applies to the root of the sum of their squares.
static double mlp_bound(const struct call *c, double own, double rounded, double squares, double magnitude) {
    double bound = bound_dot_within(c, c->dims[2] - 1);
    if (magnitude == 0) return bound;
    double inherited = own + (c->rte ? sqrt(squares) : rounded);
    return bound + ulps_at(inherited / magnitude, magnitude);
}

static void mlp_output(const struct call *c, int64_t i, const struct hidden *hidden) {
    const int64_t dim = c->dims[1], wide = c->dims[2];
    const real *down = c->in[3] + i % dim * wide;
    double magnitude = 0, own = 0, rounded = 0, squares = 0;
    bool open = false;
    real sum = 0;
    for (int64_t h = 0; h < wide; h++) {
        sum += down[h] * hidden[h].value;
        if (!TRUTH) continue;
        const double weight = fabs((double)down[h]), part = weight * hidden[h].rounded;
        open |=
            hidden[h].open || is_infinite_or_nan((double)hidden[h].value, hidden[h].own + hidden[h].rounded, weight);
        magnitude += weight * fabs((double)hidden[h].value);
        own += weight * hidden[h].own;
        rounded += part;
        squares += part * part;
    }
    emit(c, i, sum, magnitude, !TRUTH ? 0 : open ? INFINITY : mlp_bound(c, own, rounded, squares, magnitude));
}

// Computes the block. Without memory for the hidden values the outputs are NaN, so no kernel matches.
REFERENCE(mlp, c) {
    const int64_t dim = c->dims[1], wide = c->dims[2];
    struct hidden *hidden = malloc((size_t)wide * sizeof *hidden);
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        if (hidden && (i == c->first || i % dim == 0))
            for (int64_t h = 0; h < wide; h++) hidden[h] = hidden_at(c, i / dim, h);
        if (hidden)
            mlp_output(c, i, hidden);
        else
            emit(c, i, NAN, 0, 0);
    }
    free(hidden);
}

COST(mlp_flops, D(0) * D(2) * (6 * D(1) + 4))

// Sums of products that stay within f16 at the sizes of large models.
#define GATED(NAME, LOW, ...)                                                                                          \
    { NAME, ROLE_IN, .weights = true, .shape = {__VA_ARGS__}, .low = LOW, .high = 0.1, .lines = LINES_BROKEN }

OPERATOR(mlp) = {
    NAMED(mlp, "matrix"),
    .summary = "gated feed-forward block: two products, a gate and a product back",
    .formula = "y = down (silu(gate x) * (up x)), for each row x",
    .source = "N. Shazeer, GLU variants improve transformer, arXiv:2002.05202 (2020); Llama",
    .conventions = "weights are row-major, one row an output; no biases; quantised blocks: GGML, "
                   "Q8_0 and Q4_0",
    .systems = "TL CF LT",
    .dims = {"rows", "dim", "hidden"},
    .operands = {{"x", ROLE_IN, .shape = {"rows", "dim"}, .low = -0.25, .high = 1, .lines = LINES_SOME,
                     .outlier = {.along = "dim", .low = 6, .high = 9, .rest_low = 4e-7, .rest_high = 12e-7}},
        GATED("gate", -0.05, "hidden", "dim"), GATED("up", -0.1, "hidden", "dim"),
        {"down", ROLE_IN, .weights = true, .shape = {"dim", "hidden"}, .low = -0.1, .high = 0.1, .lines = LINES_BROKEN,
            .outlier = {.along = "hidden", .low = 1, .high = 1}},
        {"y", ROLE_OUT, .shape = {"rows", "dim"}, .granule = {"dim"}}},
    .flops = mlp_flops,
    .bound = "ULP at the sum of |down s|: the error of a sum of products, and the errors of the hidden values s = "
             "silu(g) u: silu's own and two products, in proportion; the roundings of the sums g and u by their "
             "slopes, added in squares to nearest",
};
