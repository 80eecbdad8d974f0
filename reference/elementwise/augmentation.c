// SPDX-License-Identifier: Apache-2.0
// Augmentation of batches of images before training. (A mirrored image is flip, in rearrange.c.)
#include "../running.h"

enum { N, C, H, W, OH, OW, PLANE = OH };

// Rows and columns are added in 64 bits, because an offset may have any value.
REFERENCE(crop, c) {
    const int64_t *d = c->dims, pixels = d[OH] * d[OW];
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const int64_t plane = i / pixels, image = plane / d[C];
        const int64_t y = c->ints[1][image] + i % pixels / d[OW];
        const int64_t x = c->ints[2][image] + i % d[OW];
        const bool inside = y >= 0 && y < d[H] && x >= 0 && x < d[W];
        emit(c, i, inside ? c->in[0][(plane * d[H] + y) * d[W] + x] : 0, 0, 0);
    }
}

REFERENCE(normalise, c) {
    const int64_t *d = c->dims;
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const int64_t channel = i / d[PLANE] % d[C];
        const struct number mean = exactly(c->in[1][channel]), std = exactly(c->in[2][channel]);
        const struct number centred = minus(c, exactly(c->in[0][i]), mean);
        emit_number(c, i, times(c, centred, over(exactly(1), std)));
    }
}

COST(crop_bytes, 4 * (2 * (D(N) * D(C) * D(OH) * D(OW)) + 2 * D(N)))

OPERATOR(crop) = {
    NAMED(crop, "training"),
    .summary = "a window of each image, at an offset of its own",
    .formula = "y[n, c, i, j] = x[n, c, top[n] + i, left[n] + j], 0 outside",
    .source = "torchvision, transforms.RandomCrop (padding included)",
    .conventions = "NCHW; offsets are data, drawn by the caller; outside the image all is 0, whatever the offset",
    .systems = "LT",
    .dims = {"n", "c", "h", "w", "oh", "ow"},
    .operands = {{"x", ROLE_IN, .shape = {"n", "c", "h", "w"}, MOVED},
        {"top", ROLE_IN, DTYPE_I32, .shape = {"n"}, .fill = FILL_OUT_OF_RANGE, .below = "h"},
        {"left", ROLE_IN, DTYPE_I32, .shape = {"n"}, .fill = FILL_OUT_OF_RANGE, .below = "w"},
        {"y", ROLE_OUT, .shape = {"n", "c", "oh", "ow"}, MOVED}},
    .flops = flops_none,
    .bytes = crop_bytes,
    .bound = EXACT_COPY,
};

static const char *normalise_derive(int64_t *d) {
    return __builtin_mul_overflow(d[H], d[W], &d[PLANE]) ? "h * w is too large" : NULL;
}

COST(normalise_flops, 2 * D(N) * D(C) * D(PLANE))

OPERATOR(normalise) = {
    NAMED(normalise, "training"),
    .summary = "channels of images centred and scaled by given numbers",
    .formula = "y[n, c, i, j] = (x[n, c, i, j] - mean[c]) / std[c]",
    .source = "torchvision, transforms.Normalize",
    .conventions = "NCHW; by std itself, no eps",
    .systems = "LT",
    .dims = {"n", "c", "h", "w"},
    .derived = {"plane"},
    .derive = normalise_derive,
    .operands = {{"x", ROLE_IN, .shape = {"n", "c", "h", "w"}, .low = 0, .high = 1, .lines = LINES_SOME},
        {"mean", ROLE_IN, .shape = {"c"}, .low = 0.25, .high = 0.75, .lines = LINES_BROKEN},
        {"std", ROLE_IN, .shape = {"c"}, .low = 0.125, .high = 0.5, .lines = LINES_BROKEN},
        {"y", ROLE_OUT, .shape = {"n", "c", "h", "w"}}},
    .flops = normalise_flops,
    .bound = RUNNING_BOUND " (or a reciprocal and a product)",
};
