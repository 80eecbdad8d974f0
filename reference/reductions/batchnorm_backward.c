// SPDX-License-Identifier: Apache-2.0
// Gradients of batchnorm in training, from the batch's statistics computed by the forward pass.
#include "centred_backward.h"

enum { N, C, H, W };
enum { DY, X, GAMMA, MEAN, VAR, DX, DGAMMA, DBETA };

// Given statistics have no error.
static struct centring channel_centring(const struct call *c, int64_t channel) {
    return (struct centring){.mean = c->in[MEAN][channel],
        .scale = 1 / sqrt(c->in[VAR][channel] + (real)c->params[0]),
        .scale_bound = inverse_root_bound(0, c->rte)};
}

static struct gradient_sums channel_sums(const struct call *c, int64_t channel, const struct centring *by) {
    const int64_t size = c->dims[H] * c->dims[W];
    struct gradient_sums sums = {0};
    for (int64_t image = 0; image < c->dims[N]; image++)
        for (int64_t i = 0; i < size; i++) {
            const int64_t at = (image * c->dims[C] + channel) * size + i;
            add_gradient(&sums, by, c->in[DY][at], c->in[X][at]);
        }
    return sums;
}

// Computes the planes of one channel in the call's range, with its sums computed once for all.
static void channel_dx(const struct call *c, int64_t channel) {
    const int64_t size = c->dims[H] * c->dims[W], channels = c->dims[C];
    const int64_t first = c->first / size, end = first + c->count / size;
    int64_t plane = first + ((channel - first) % channels + channels) % channels;
    if (plane >= end) return;
    const struct centring by = channel_centring(c, channel);
    const struct gradient_sums sums = channel_sums(c, channel, &by);
    for (; plane < end; plane += channels)
        for (int64_t at = plane * size; at < (plane + 1) * size; at++)
            emit_centred_gradient(c, at, c->in[DY][at], c->in[X][at], c->in[GAMMA][channel], &sums, &by);
}

static void channel_parameter(const struct call *c, int64_t channel) {
    const struct centring by = channel_centring(c, channel);
    const struct gradient_sums sums = channel_sums(c, channel, &by);
    if (c->output == DBETA) {
        emit(c, channel, sums.g, sums.size_g, bound_sum_of(c, sums.count - 1));
        return;
    }
    const double error = TRUTH ? gx_error(c, &sums, &by) : 0;
    emit(
        c, channel, sums.gx, sums.size_gx, TRUTH && sums.size_gx > 0 ? ulps_at(error / sums.size_gx, sums.size_gx) : 0);
}

REFERENCE(batchnorm_backward, c) {
    if (c->output == DX)
        for (int64_t channel = 0; channel < c->dims[C]; channel++) channel_dx(c, channel);
    else
        for (int64_t i = c->first; i < c->first + c->count; i++) channel_parameter(c, i);
}

static const char *batchnorm_backward_derive(int64_t *dims) {
    return __builtin_mul_overflow(dims[H], dims[W], &dims[4]) ? "an operand's size overflows" : NULL;
}

// Per element: two normalise; three for the sums; six for dx
COST(batchnorm_backward_flops, 11 * D(N) * D(C) * D(H) * D(W))

// clang-format off
#define IMAGES .shape = {"n", "c", "h", "w"}
#define PER_CHANNEL(NAME, LOW, HIGH) {NAME, ROLE_IN, .shape = {"c"}, .low = LOW, .high = HIGH, .lines = LINES_BROKEN}
// clang-format on

OPERATOR(batchnorm_backward) = {
    NAMED(batchnorm_backward, "backward"),
    .summary = "gradients of batchnorm in training, of the images, the scales and the shifts",
    .formula = "dx = gamma s (dy - mean(dy) - z mean(dy * z)), z = (x - mean) s, s = 1 / sqrt(var "
               "+ eps); dgamma = sum(dy * z); dbeta = sum(dy), over each c",
    .source = "S. Ioffe and C. Szegedy, Batch normalization, arXiv:1502.03167 (2015); PyTorch, "
              "native_batch_norm_backward(train=True)",
    .conventions = "mean and var belong to the batch, as from batchnorm_training (PyTorch saves 1 / sqrt(var + eps)); "
                   "population variance; eps inside the root",
    .systems = "LT",
    .dims = {"n", "c", "h", "w"},
    .derived = {"plane"},
    .derive = batchnorm_backward_derive,
    .operands = {{"dy", ROLE_IN, IMAGES, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"x", ROLE_IN, IMAGES, .low = -0.25, .high = 1, .lines = LINES_SOME}, PER_CHANNEL("gamma", 0.5, 1.5),
        PER_CHANNEL("mean", 0.25, 0.5), PER_CHANNEL("var", 0.05, 0.2), {"dx", ROLE_OUT, IMAGES, .granule = {"plane"}},
        {"dgamma", ROLE_OUT, .shape = {"c"}}, {"dbeta", ROLE_OUT, .shape = {"c"}}},
    EPS,
    .flops = batchnorm_backward_flops,
    .bound = "dx: " CENTRED_GRADIENT_BOUND "; the mean and the variance are given; dgamma, dbeta: "
             "the same sums",
};
