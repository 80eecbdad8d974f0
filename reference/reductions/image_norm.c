// SPDX-License-Identifier: Apache-2.0
// Norms of images, NCHW: over groups of channels, single channels of single images, and channels of the whole batch.
#include "moments.h"

enum { N, C, H, W };

static inline int64_t plane_of(const struct call *c) {
    return c->dims[H] * c->dims[W];
}

// Normalises one plane of one channel.
static inline void emit_plane(const struct call *c, int64_t plane, const struct centring *by) {
    const int64_t size = plane_of(c), channel = plane % c->dims[C];
    emit_centred_stretch(c, plane * size, size, c->in[1][channel], c->in[2][channel], by);
}

// Normalises groups of `channels` consecutive channels of an image; a group is contiguous in memory.
static inline void group_norms(const struct call *c, int64_t channels) {
    const int64_t size = plane_of(c), group = channels * size;
    for (int64_t first = c->first; first < c->first + c->count; first += group) {
        const struct set set = {c->in[0] + first, 1, group, group};
        const struct centring by = centring_of(c, &set, (real)c->params[0]);
        for (int64_t i = 0; i < channels; i++) emit_plane(c, first / size + i, &by);
    }
}

REFERENCE(groupnorm, c) {
    group_norms(c, c->dims[C] / c->dims[4]);
}

REFERENCE(instancenorm, c) {
    group_norms(c, 1);
}

// Given statistics have no error. The scale follows from them by a sum, a root and a division.
REFERENCE(batchnorm_inference, c) {
    const int64_t size = plane_of(c);
    for (int64_t plane = c->first / size; plane < (c->first + c->count) / size; plane++) {
        const int64_t channel = plane % c->dims[C];
        const real mean = c->in[3][channel], variance = c->in[4][channel];
        const struct centring by = {.mean = mean,
            .scale = 1 / sqrt(variance + (real)c->params[0]),
            .mean_abs = fabs((double)mean),
            .scale_bound = inverse_root_bound(0, c->rte)};
        emit_plane(c, plane, &by);
    }
}

// Returns a channel of the batch: one plane of every image.
static inline struct set channel_set(const struct call *c, int64_t channel) {
    const int64_t size = plane_of(c);
    return (struct set){c->in[0] + channel * size, c->dims[N], size, c->dims[C] * size};
}

// Normalises the planes of one channel in the call's range, with its statistics computed once for all.
static void batchnorm_channel(const struct call *c, int64_t channel) {
    const int64_t size = plane_of(c), first = c->first / size, end = first + c->count / size;
    const int64_t channels = c->dims[C];
    int64_t plane = first + ((channel - first) % channels + channels) % channels;
    if (plane >= end) return;
    const struct set set = channel_set(c, channel);
    const struct centring by = centring_of(c, &set, (real)c->params[0]);
    for (; plane < end; plane += channels) emit_plane(c, plane, &by);
}

// Writes (1 - momentum) old + momentum new: the complement, two products and a sum.
static void emit_running(
    const struct call *c, int64_t i, real old, real new_value, double new_magnitude, double new_bound) {
    const real momentum = (real)c->params[1], kept = (1 - momentum) * old;
    const double added = c->params[1] * new_magnitude;
    const double magnitude = fabs((double)kept) + added;
    const double error = added * new_bound + magnitude * 3 * bound_basic(c->rte);
    emit(c, i, kept + momentum * new_value, magnitude,
        TRUTH && magnitude > 0 ? ulps_at(error / magnitude, magnitude) : 0);
}

enum { TRAINED_RUNNING_MEAN = 3, TRAINED_RUNNING_VAR, TRAINED_Y, TRAINED_MEAN, TRAINED_VAR };

static void batchnorm_statistic(const struct call *c, int64_t channel) {
    const struct set set = channel_set(c, channel);
    const struct moments m = moments_of(c, &set);
    const double most = squares_most(&m);
    if (c->output == TRAINED_MEAN)
        emit(c, channel, m.mean, m.mean_abs, TRUTH ? ulps_at(m.mean_bound, m.mean_abs) : 0);
    else if (c->output == TRAINED_VAR)
        emit_variance(c, channel, &m, m.count);
    else if (c->output == TRAINED_RUNNING_MEAN)
        emit_running(c, channel, c->in[3][channel], m.mean, m.mean_abs, m.mean_bound);
    else // unbiased variance, possibly from the other by a division and a product
        emit_running(c, channel, c->in[4][channel], m.squares / (real)(m.count - 1), most / (double)(m.count - 1),
            squares_error(&m, most) + 2 * BOUND_DIVISION + bound_basic(c->rte));
}

REFERENCE(batchnorm_training, c) {
    if (c->output == TRAINED_Y)
        for (int64_t channel = 0; channel < c->dims[C]; channel++) batchnorm_channel(c, channel);
    else
        for (int64_t channel = c->first; channel < c->first + c->count; channel++) batchnorm_statistic(c, channel);
}

#define IMAGES .shape = {"n", "c", "h", "w"}
#define PER_CHANNEL(low_, high_) .shape = {"c"}, .low = low_, .high = high_, .lines = LINES_BROKEN
// clang-format off
#define AFFINE_IMAGES                                                                              \
    {"x", ROLE_IN, IMAGES, .low = -0.25, .high = 1, .lines = LINES_ANY, .line_axes = 2,            \
        OUTLIER_OF_DEVIATIONS("h", true, 16)},                                                         \
    {"gamma", ROLE_IN, PER_CHANNEL(0.5, 1.5)},                                                     \
    {"beta", ROLE_IN, PER_CHANNEL(-0.5, 0.5), .outlier = {.along = "c"}}
// clang-format on

COST(elements, D(N) * D(C) * D(H) * D(W))
COST(norm_flops, 7 * elements(dims)) // as layernorm

// Computes groups as rows of a matrix, for kernels that normalise rows.
static const char *groups_as_rows(int64_t *dims, int64_t groups, int64_t *derived) {
    if (dims[C] % groups) return "c is no multiple of groups";
    if (__builtin_mul_overflow(dims[H], dims[W], &derived[0]) || __builtin_mul_overflow(dims[N], groups, &derived[1]) ||
        __builtin_mul_overflow(dims[C] / groups, derived[0], &derived[2]))
        return "an operand's size overflows";
    return NULL;
}

static const char *groupnorm_derive(int64_t *dims) {
    return groups_as_rows(dims, dims[4], dims + 5);
}

OPERATOR(groupnorm) = {
    NAMED(groupnorm, "normalisation"),
    .summary = "norm of each image's groups of channels, with scale and shift for each channel",
    .formula = "y = (x - mean) / sqrt(var + eps) * gamma + beta, over each n and group",
    .source = "Y. Wu and K. He, Group normalization, arXiv:1803.08494 (2018)",
    .conventions = "population variance; eps inside the root, as PyTorch",
    .systems = "TS",
    .dims = {"n", "c", "h", "w", "groups"},
    .derived = {"plane", "rows", "cols"},
    .derive = groupnorm_derive,
    .operands = {AFFINE_IMAGES, {"y", ROLE_OUT, IMAGES, .granule = {"cols"}}},
    EPS,
    .flops = norm_flops,
    .bound = CENTRED_BOUND,
};

static const char *instancenorm_derive(int64_t *dims) {
    return groups_as_rows(dims, dims[C], dims + 4);
}

OPERATOR(instancenorm) = {
    NAMED(instancenorm, "normalisation"),
    .summary = "norm of each image's channels, with scale and shift for each channel",
    .formula = "y = (x - mean) / sqrt(var + eps) * gamma + beta, over each n and c",
    .source = "D. Ulyanov, A. Vedaldi and V. Lempitsky, Instance normalization, arXiv:1607.08022 "
              "(2016)",
    .conventions = "population variance; eps inside the root, as PyTorch with affine=True",
    .systems = "TS",
    .dims = {"n", "c", "h", "w"},
    .derived = {"plane", "rows", "cols"},
    .derive = instancenorm_derive,
    .operands = {AFFINE_IMAGES, {"y", ROLE_OUT, IMAGES, .granule = {"cols"}}},
    EPS,
    .flops = norm_flops,
    .bound = CENTRED_BOUND,
};

COST(inference_flops, 4 * elements(dims)) // subtract, scale, gamma, beta

static const char *plane_derive(int64_t *dims) {
    return __builtin_mul_overflow(dims[H], dims[W], &dims[4]) ? "an operand's size overflows" : NULL;
}

OPERATOR(batchnorm_inference) = {
    NAMED(batchnorm_inference, "normalisation"),
    .summary = "norm of each channel by given statistics, with scale and shift",
    .formula = "y = (x - mean[c]) / sqrt(var[c] + eps) * gamma[c] + beta[c]",
    .source = "S. Ioffe and C. Szegedy, Batch normalization, arXiv:1502.03167 (2015)",
    .conventions = "eps inside the root, as PyTorch",
    .systems = "TS LT",
    .dims = {"n", "c", "h", "w"},
    .derived = {"plane"},
    .derive = plane_derive,
    .operands = {AFFINE_IMAGES, {"mean", ROLE_IN, PER_CHANNEL(0.25, 0.5)}, {"var", ROLE_IN, PER_CHANNEL(0.05, 0.2)},
        {"y", ROLE_OUT, IMAGES, .granule = {"plane"}}},
    EPS,
    .flops = inference_flops,
    .bound = "epsilons at |scale gamma| (|x| + |mean|) + |beta|: the scale's (eps added under the "
             "root, sqrt 4.5 and division 2.5) and three operations by |x - mean|; beta added",
};

static const char *training_derive(int64_t *dims) {
    const char *why = plane_derive(dims);
    if (!why && dims[N] == 1 && dims[4] == 1) why = "a channel of one element has no variance";
    return why;
}

OPERATOR(batchnorm_training) = {
    NAMED(batchnorm_training, "normalisation"),
    .summary = "norm of each channel by the batch's statistics, added to the running statistics",
    .formula = "y = (x - mean) / sqrt(var + eps) * gamma + beta over each c; running = (1 - "
               "momentum) running + momentum (mean, var n/(n-1))",
    .source = "S. Ioffe and C. Szegedy, Batch normalization, arXiv:1502.03167 (2015); PyTorch, "
              "torch.nn.functional.batch_norm(training=True)",
    .conventions = "population variance in y and var, the unbiased one into running_var; eps "
                   "inside the root; a channel needs two elements, as PyTorch",
    .systems = "TS LT",
    .dims = {"n", "c", "h", "w"},
    .derived = {"plane"},
    .derive = training_derive,
    .operands = {AFFINE_IMAGES, [TRAINED_RUNNING_MEAN] = {"running_mean", ROLE_INOUT, PER_CHANNEL(0.25, 0.5)},
        [TRAINED_RUNNING_VAR] = {"running_var", ROLE_INOUT, PER_CHANNEL(0.5, 1.5)},
        [TRAINED_Y] = {"y", ROLE_OUT, IMAGES, .granule = {"plane"}},
        [TRAINED_MEAN] = {"mean", ROLE_OUT, .shape = {"c"}}, [TRAINED_VAR] = {"var", ROLE_OUT, .shape = {"c"}}},
    .params = {{"eps", .standard = 1e-5, .low = 0, .high = 1, TELLING(0, 1, 1e-2)},
        {"momentum", .standard = 0.1, .low = 0, .high = 1, TELLING(0, 0.7, 1)}},
    .flops = norm_flops,
    .bound = "y: " CENTRED_BOUND "; mean: its sum and division; var: as variance; running: those "
             "by momentum, and the complement, two products and a sum",
};
