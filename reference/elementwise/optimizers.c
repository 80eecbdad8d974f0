// SPDX-License-Identifier: Apache-2.0
// Steps of optimizers: each updates the parameters w and their state in place, from the gradient g. The rules are
// those of PyTorch's torch.optim for one tensor, without maximize and amsgrad.
#include "../running.h"

enum { MOST_STATES = 2 };

// Results of a step.
struct step {
    struct number w, state[MOST_STATES];
};

// Defines a reference with the operands w, the states, and g.
#define STEP(NAME, STATES)                                                                                             \
    REFERENCE(NAME, c) {                                                                                               \
        for (int64_t i = c->first; i < c->first + c->count; i++) {                                                     \
            const struct step now = NAME##_step(c, i, exactly(c->in[1 + STATES][i]));                                  \
            emit_number(c, i, c->output == 0 ? now.w : now.state[c->output - 1]);                                      \
        }                                                                                                              \
    }

static inline struct number param(const struct call *c, int index) {
    return exactly((real)c->params[index]);
}

static inline struct number old(const struct call *c, int operand, int64_t i) {
    return exactly(c->in[operand][i]);
}

// Returns (1 - rate) x.
static inline struct number rest(const struct call *c, struct number rate, struct number x) {
    return times(c, minus(c, exactly(1), rate), x);
}

// Returns rate average + (1 - rate) x.
static inline struct number moving(const struct call *c, struct number rate, struct number average, struct number x) {
    return plus(c, times(c, rate, average), rest(c, rate, x));
}

// Returns the gradient of the loss and of a penalty decay w^2 / 2.
static inline struct number decayed(const struct call *c, int64_t i, struct number g, struct number decay) {
    return plus(c, g, times(c, decay, old(c, 0, i)));
}

static inline struct number descend(const struct call *c, struct number w, struct number rate, struct number along) {
    return minus(c, w, times(c, rate, along));
}

enum { SGD_RATE, SGD_MOMENTUM, SGD_DAMPENING, SGD_DECAY, SGD_NESTEROV, SGD_STEP };

static inline struct step sgd_step(const struct call *c, int64_t i, struct number g) {
    const struct number momentum = param(c, SGD_MOMENTUM);
    struct number v = old(c, 1, i);
    g = decayed(c, i, g, param(c, SGD_DECAY));
    if (c->params[SGD_MOMENTUM] != 0) {
        if (c->params[SGD_STEP] > 1)
            v = plus(c, times(c, momentum, v), rest(c, param(c, SGD_DAMPENING), g));
        else
            v = g;
        g = c->params[SGD_NESTEROV] != 0 ? plus(c, g, times(c, momentum, v)) : v;
    }
    return (struct step){descend(c, old(c, 0, i), param(c, SGD_RATE), g), {v}};
}
STEP(sgd, 1)

// Returns 1 - rate^step without cancellation. With q(a) = 1 - rate^a, it follows that q(2 a) = q(a) (2 - q(a)).
// Likewise, q(a + b) = q(b) + (1 - q(b)) q(a). No rounding error grows on the way, so there are at most five for each
// bit of the step. Subtracting a power from 1 would lose 1 / (1 - rate) epsilons instead.
static inline struct number bias_correction(const struct call *c, int rate, int steps) {
    real q = 0, power = 1 - (real)c->params[rate];
    int64_t left = (int64_t)c->params[steps];
    double roundings = 1;
    for (; left > 0; left >>= 1, roundings += 5) {
        if (left & 1) q += (1 - q) * power;
        power *= 2 - power;
    }
    struct number y = exactly(q);
    y.error = roundings * rounding(c, q);
    return y;
}

enum { ADAM_RATE, ADAM_BETA1, ADAM_BETA2, ADAM_EPS, ADAM_DECAY, ADAM_STEP };

// Takes a step from the given parameters w.
static inline struct step adam_update(const struct call *c, int64_t i, struct number w, struct number g) {
    const struct number m = moving(c, param(c, ADAM_BETA1), old(c, 1, i), g);
    const struct number v = moving(c, param(c, ADAM_BETA2), old(c, 2, i), times(c, g, g));
    const struct number first = bias_correction(c, ADAM_BETA1, ADAM_STEP);
    const struct number second = bias_correction(c, ADAM_BETA2, ADAM_STEP);
    const struct number scale = plus(c, over(root(v), root(second)), param(c, ADAM_EPS));
    const struct number rate = over(param(c, ADAM_RATE), first);
    return (struct step){descend(c, w, rate, over(m, scale)), {m, v}};
}

static inline struct step adam_step(const struct call *c, int64_t i, struct number g) {
    return adam_update(c, i, old(c, 0, i), decayed(c, i, g, param(c, ADAM_DECAY)));
}
STEP(adam, 2)

static inline struct step adamw_step(const struct call *c, int64_t i, struct number g) {
    const struct number decay = times(c, param(c, ADAM_RATE), param(c, ADAM_DECAY));
    return adam_update(c, i, rest(c, decay, old(c, 0, i)), g);
}
STEP(adamw, 2)

enum { RMS_RATE, RMS_ALPHA, RMS_EPS, RMS_DECAY };

static inline struct step rmsprop_step(const struct call *c, int64_t i, struct number g) {
    g = decayed(c, i, g, param(c, RMS_DECAY));
    const struct number s = moving(c, param(c, RMS_ALPHA), old(c, 1, i), times(c, g, g));
    const struct number along = over(g, plus(c, root(s), param(c, RMS_EPS)));
    return (struct step){descend(c, old(c, 0, i), param(c, RMS_RATE), along), {s}};
}
STEP(rmsprop, 1)

enum { ADA_RATE, ADA_RATE_DECAY, ADA_EPS, ADA_DECAY, ADA_STEP };

static inline struct step adagrad_step(const struct call *c, int64_t i, struct number g) {
    g = decayed(c, i, g, param(c, ADA_DECAY));
    const struct number s = plus(c, old(c, 1, i), times(c, g, g));
    const struct number before = exactly((real)(c->params[ADA_STEP] - 1));
    const struct number slowed = plus(c, exactly(1), times(c, before, param(c, ADA_RATE_DECAY)));
    const struct number along = over(g, plus(c, root(s), param(c, ADA_EPS)));
    const struct number rate = over(param(c, ADA_RATE), slowed);
    return (struct step){descend(c, old(c, 0, i), rate, along), {s}};
}
STEP(adagrad, 1)

#define MIXED "parameters and state are f32 whatever the type of the gradient, as in mixed precision"
// Gradients and their averages span many orders of magnitude, so eps matters; squares span the same. SGD is linear
// and does not need this.
// clang-format off
#define VECTOR(NAME, ROLE, DTYPE, ...) {NAME, ROLE, DTYPE, .shape = {"n"}, .lines = LINES_BROKEN, __VA_ARGS__}
#define WEIGHTS VECTOR("w", ROLE_INOUT, DTYPE_F32, .low = -1, .high = 1)
#define AVERAGE(NAME) VECTOR(NAME, ROLE_INOUT, DTYPE_F32, .fill = FILL_SPREAD, .low = 1e-6, .high = 1, .signs = true)
#define SQUARES(NAME) VECTOR(NAME, ROLE_INOUT, DTYPE_F32, .fill = FILL_SPREAD, .low = 1e-16, .high = 1)
#define GRADIENT VECTOR("g", ROLE_IN, DTYPE_CASE, .fill = FILL_SPREAD, .low = 1e-6, .high = 1, .signs = true)
#define SHARE(NAME, STANDARD) {NAME, .standard = STANDARD, .low = 0, .high = 1, TELLING(0, 0.3, 1)}
#define STEP_NUMBER {"step", .standard = 10, .integer = true, .low = 1, .high = 1 << 24, TELLING(1, 2, 70001)}
#define SMALL(NAME, STANDARD) {NAME, .standard = STANDARD, .low = 0, .high = 1e3, TELLING(0, 0.3, 2)}
// clang-format on

COST(sgd_flops, 7 * D(0)) // decay, average and descent, a product and a sum each, dampening

OPERATOR(sgd) = {
    NAMED(sgd, "training"),
    .summary = "a step of stochastic gradient descent with momentum",
    .formula = "g' = g + decay w; v = step = 1 ? g' : momentum v + (1 - dampening) g'; "
               "w = w - lr (nesterov ? g' + momentum v : v)",
    .source = "PyTorch, torch.optim.SGD; I. Sutskever et al., On the importance of initialization "
              "and momentum in deep learning, ICML 2013",
    .conventions = "steps are counted from 1, and the first sets v = g'; momentum 0 leaves v unchanged and steps along "
                   "g'; the rate is outside v; " MIXED,
    .systems = "LT",
    .dims = {"n"},
    .operands = {WEIGHTS, VECTOR("v", ROLE_INOUT, DTYPE_F32, .low = -1, .high = 1),
        VECTOR("g", ROLE_IN, DTYPE_CASE, .low = -1, .high = 1)},
    .params = {SMALL("lr", 0.1), SHARE("momentum", 0.9), SHARE("dampening", 0), SMALL("weight_decay", 0.01),
        {"nesterov", .standard = 0, .integer = true, .low = 0, .high = 1, TELLING(1)}, STEP_NUMBER},
    .flops = sgd_flops,
    .in_steps = true,
    .bound = RUNNING_BOUND,
};

// Decay 2, averages 3 and 4, root, quotient, eps, quotient, descent 2
COST(adam_flops, 15 * D(0))

#define ADAM(NAME, SUMMARY, GRADIENT_RULE, START, SOURCE, CONVENTIONS)                                                 \
    OPERATOR(NAME) = {                                                                                                 \
        NAMED(NAME, "training"),                                                                                       \
        .summary = SUMMARY,                                                                                            \
        .formula = GRADIENT_RULE "; m = beta1 m + (1 - beta1) g'; v = beta2 v + (1 - beta2) g'^2; w = " START          \
                                 " - lr m / (1 - beta1^step) / (sqrt(v / (1 - beta2^step)) + eps)",                    \
        .source = "PyTorch, " SOURCE,                                                                                  \
        .conventions =                                                                                                 \
            CONVENTIONS "; eps outside the root and not corrected; steps are counted from 1; the bias "                \
                        "corrections are within a few roundings, as a host computes them; no amsgrad; " MIXED,         \
        .systems = "LT",                                                                                               \
        .dims = {"n"},                                                                                                 \
        .operands = {WEIGHTS, AVERAGE("m"), SQUARES("v"), GRADIENT},                                                   \
        .params = {SMALL("lr", 1e-3), {"beta1", .standard = 0.9, .low = 0, .high = 0.9999, TELLING(0, 0.3, 0.999)},    \
            {"beta2", .standard = 0.999, .low = 0, .high = 0.99999, TELLING(0, 0.3, 0.9)}, SMALL("eps", 1e-8),         \
            SMALL("weight_decay", 0.01), STEP_NUMBER},                                                                 \
        .flops = adam_flops,                                                                                           \
        .in_steps = true,                                                                                              \
        .bound = RUNNING_BOUND "; a bias correction five roundings for each bit of the step",                          \
    };

ADAM(adam, "a step of Adam", "g' = g + decay w", "w", "torch.optim.Adam; D. Kingma and J. Ba, Adam, arXiv:1412.6980",
    "weight decay goes into the gradient")

ADAM(adamw, "a step of Adam with weight decay apart from the gradient", "g' = g", "w (1 - lr decay)",
    "torch.optim.AdamW; I. Loshchilov and F. Hutter, Decoupled weight decay regularization, "
    "arXiv:1711.05101",
    "weight decay shrinks w before the step, by the rate")

COST(rmsprop_flops, 11 * D(0)) // decay 2, average 4, root, eps, quotient, descent 2

OPERATOR(rmsprop) = {
    NAMED(rmsprop, "training"),
    .summary = "a step of RMSprop",
    .formula = "g' = g + decay w; s = alpha s + (1 - alpha) g'^2; w = w - lr g' / (sqrt(s) + eps)",
    .source = "PyTorch, torch.optim.RMSprop; G. Hinton, Neural networks for machine learning, "
              "lecture 6e (2012)",
    .conventions = "eps outside the root (TensorFlow has it inside); neither centered nor with "
                   "momentum, which are PyTorch's defaults; " MIXED,
    .systems = "",
    .dims = {"n"},
    .operands = {WEIGHTS, SQUARES("s"), GRADIENT},
    .params = {SMALL("lr", 0.01), SHARE("alpha", 0.99), SMALL("eps", 1e-8), SMALL("weight_decay", 0.01)},
    .flops = rmsprop_flops,
    .in_steps = true,
    .bound = RUNNING_BOUND,
};

COST(adagrad_flops, 9 * D(0)) // decay 2, square and sum, root, eps, quotient, descent 2

OPERATOR(adagrad) = {
    NAMED(adagrad, "training"),
    .summary = "a step of Adagrad",
    .formula = "g' = g + decay w; s = s + g'^2; "
               "w = w - lr / (1 + (step - 1) lr_decay) g' / (sqrt(s) + eps)",
    .source = "PyTorch, torch.optim.Adagrad; J. Duchi, E. Hazan and Y. Singer, Adaptive "
              "subgradient methods, JMLR 12 (2011)",
    .conventions = "eps outside the root; steps are counted from 1; " MIXED,
    .systems = "",
    .dims = {"n"},
    .operands = {WEIGHTS, SQUARES("s"), GRADIENT},
    .params = {SMALL("lr", 0.01), SMALL("lr_decay", 0.001), SMALL("eps", 1e-10), SMALL("weight_decay", 0.01),
        STEP_NUMBER},
    .flops = adagrad_flops,
    .in_steps = true,
    .bound = RUNNING_BOUND,
};
