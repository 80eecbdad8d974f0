// SPDX-License-Identifier: Apache-2.0
// In-place operations on gradients between the backward pass and the optimizer's step.
#include "maps.h"
#include "../running.h"

#define FAMILY "training"

BINARY(grad_accumulate, 1, a + b, bound_basic(c->rte),
    .summary = "a gradient added to the gradients of earlier batches", .formula = "sum = sum + g",
    .source = "PyTorch, Tensor.grad", .conventions = "the sum is f32 whatever the type of the gradient",
    .systems = "LT",
    .operands = {{"sum", ROLE_INOUT, DTYPE_F32, .shape = {"n"}, .low = -1, .high = 1, .lines = LINES_BROKEN,
                     .preserves = PRESERVES_SIGN},
        {"g", ROLE_IN, .shape = {"n"}, .low = -1, .high = 1, .lines = LINES_SOME}},
    .bound = BASIC_BOUND)

#define NO_INPUT zero = 0

MAP(zero_grad, 0, NO_INPUT, zero, 0, 0, .summary = "a gradient set to zero", .formula = "g = 0",
    .source = "PyTorch, Optimizer.zero_grad(set_to_none=False)", .conventions = "whatever was there, NaN included",
    .systems = "LT", .operands = {{"g", ROLE_OUT, .shape = {"n"}, MOVED}}, .bound = "exact: a store")

enum { GRADIENT, NORM };

static struct number length_of(const struct call *c) {
    struct number squares = exactly(0);
    for (int64_t i = 0; i < c->dims[0]; i++) {
        const struct number x = exactly(c->in[GRADIENT][i]);
        add_term(&squares, times(c, x, x));
    }
    return root(whole_sum(c, squares, c->dims[0] - 1));
}

// All gradients need the norm, so they are one granule.
REFERENCE(grad_clip_norm, c) {
    const struct number norm = length_of(c), most = exactly((real)c->params[0]);
    const struct number by = over(most, plus(c, norm, exactly((real)c->params[1])));
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const struct number g = exactly(c->in[GRADIENT][i]);
        emit_number(c, i, c->output == NORM ? norm : by.value >= 1 ? g : times(c, g, by));
    }
}

COST(grad_clip_norm_flops, 3 * D(0)) // square, add, scale

// Read for the norm, read again for scaling, written.
COST(grad_clip_norm_bytes, 4 * (3 * D(0) + 1))

OPERATOR(grad_clip_norm) = {
    NAMED(grad_clip_norm, "training"),
    .summary = "a gradient scaled down to a norm, unless it is shorter",
    .formula = "norm = sqrt(sum over i of g[i]^2); g = g * min(1, max_norm / (norm + eps))",
    .source = "PyTorch, torch.nn.utils.clip_grad_norm_; R. Pascanu, T. Mikolov and Y. Bengio, On "
              "the difficulty of training recurrent neural networks, ICML 2013",
    .conventions =
        "the written norm is the norm before scaling, in f32 for every type of the gradient; eps 1e-6 is PyTorch's; "
        "the squares are summed without scaling against overflow; a NaN makes all NaN, as in PyTorch",
    .systems = "LT",
    .dims = {"n"},
    .operands = {[GRADIENT] = {"g", ROLE_INOUT, .shape = {"n"}, .granule = {"n"}, .low = -1, .high = 1,
                     .lines = LINES_ANY},
        [NORM] = {.name = "norm", .role = ROLE_OUT, .dtype = DTYPE_F32}},
    .params = {{"max_norm", .standard = 1, .low = 0, .high = 1e6, TELLING(0, 0.01, 70001)},
        {"eps", .standard = 1e-6, .low = 0, .high = 1, TELLING(1, 1e-3)}},
    .flops = grad_clip_norm_flops,
    .bytes = grad_clip_norm_bytes,
    .bound = "the sum of the squares (see sum); " RUNNING_BOUND,
};

REFERENCE(unscale_and_check, c) {
    bool broken = false;
    if (c->output == 1) {
        for (int64_t i = 0; i < c->dims[0]; i++) broken |= !isfinite(c->in[0][i]);
        emit(c, 0, broken, 0, 0);
        return;
    }
    for (int64_t i = c->first; i < c->first + c->count; i++)
        emit(c, i, c->in[0][i] * (real)c->params[0], 0, bound_basic(c->rte));
}

OPERATOR(unscale_and_check) = {
    NAMED(unscale_and_check, "training"),
    .summary = "a gradient freed of the loss's scale, and whether any of it is NaN or infinite",
    .formula = "found = any of g is NaN or infinite; g = g * inverse_scale",
    .source = "PyTorch, torch.amp.GradScaler.unscale_; P. Micikevicius et al., Mixed precision "
              "training, arXiv:1710.03740",
    .conventions = "found is 0 or 1, f32 for every type of the gradient, and set anew; values not finite are scaled "
                   "too. About two inputs in three have such a value",
    .systems = "LT",
    .dims = {"n"},
    .operands = {{"g", ROLE_INOUT, .shape = {"n"}, .fill = FILL_BROKEN, .low = -64, .high = 64},
        {.name = "found", .role = ROLE_OUT, .dtype = DTYPE_F32}},
    .params = {{"inverse_scale", .standard = 0.3, .low = 0, .high = 1, TELLING(0, 1, 1e-4)}},
    .flops = flops_one_each,
    .bound = "g: " BASIC_BOUND "; found: exact",
};
