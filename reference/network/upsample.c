// SPDX-License-Identifier: Apache-2.0
// Pictures scaled to another size: the nearest element, or a mean of the nearest four.
#include "../bounds.h"
#include "../reference.h"

enum { N, C, H, W, OH, OW };

REFERENCE(upsample_nearest, c) {
    const int64_t h = c->dims[H], w = c->dims[W], oh = c->dims[OH], ow = c->dims[OW];
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const int64_t row = i / ow % oh * h / oh, col = i % ow * w / ow, plane = i / (oh * ow);
        emit(c, i, c->in[0][(plane * h + row) * w + col], 0, 0);
    }
}

// The position of an output among the inputs of one axis, and the largest error of a float coordinate.
struct sample_place {
    int64_t below, above;
    real share; // of `above`
    double at, error;
};

// Returns the position. Half-pixel: (i + 0.5) size / outputs - 0.5, not below 0. With the corners aligned: i (size -
// 1) / (outputs - 1). In float the ratio is a division. Then follow a product, a sum and the share's difference, all
// of them at most at the coordinate plus a half.
static inline struct sample_place place_of(const struct call *c, int64_t i, int64_t size, int64_t outputs) {
    struct sample_place place = {.below = 0};
    real at;
    if (c->params[0] != 0)
        at = outputs > 1 ? (real)i * ((real)(size - 1) / (real)(outputs - 1)) : 0;
    else
        at = fmax(((real)i + (real)0.5) * ((real)size / (real)outputs) - (real)0.5, (real)0);
    const int64_t last = size - 1, whole = (int64_t)at;
    place.below = whole < last ? whole : last;
    place.above = place.below < last ? place.below + 1 : last;
    place.share = at - (real)place.below;
    if (TRUTH) {
        place.at = (double)at;
        place.error = (place.at + 0.5) * (BOUND_DIVISION + 3 * bound_basic(c->rte)) * 0x1p-23;
    }
    return place;
}

// Returns the steepest step between neighbours along an axis, for any coordinate within its error of `p`. `across`
// are the two positions on the other axis.
static inline double steepest(const real *plane, const struct sample_place *p, int64_t size, int64_t stride,
    const struct sample_place *across, int64_t across_stride) {
    const int64_t first = (int64_t)fmax(p->at - p->error, 0), last = (int64_t)(p->at + p->error);
    double step = 0;
    for (int64_t i = first; i <= last && i + 1 < size; i++) {
        const real *below = plane + across->below * across_stride + i * stride;
        const real *above = plane + across->above * across_stride + i * stride;
        step = fmax(step, fabs((double)(below[stride] - below[0])));
        step = fmax(step, fabs((double)(above[stride] - above[0])));
    }
    return step;
}

// Returns whether the share may be either 0 (or 1) or next to it.
static inline bool is_doubtful(const struct sample_place *p) {
    return p->at - floor(p->at) <= p->error || ceil(p->at) - p->at <= p->error;
}

static inline void emit_blend(
    const struct call *c, int64_t i, const real *plane, const struct sample_place *y, const struct sample_place *x) {
    const int64_t h = c->dims[H], w = c->dims[W];
    const real *top = plane + y->below * w, *bottom = plane + y->above * w;
    const real a = (1 - x->share) * top[x->below], b = x->share * top[x->above];
    const real d = (1 - x->share) * bottom[x->below], e = x->share * bottom[x->above];
    double magnitude = 0, bound = 0;
    if (TRUTH) {
        const double kept = 1 - (double)y->share, rest = (double)y->share;
        magnitude = kept * (double)(fabs(a) + fabs(b)) + rest * (double)(fabs(d) + fabs(e));
        const double moved = y->error * steepest(plane, y, h, w, x, 1) + x->error * steepest(plane, x, w, 1, y, w);
        bound = ulps_at(6 * bound_basic(c->rte), magnitude) + ulps_of(moved, magnitude);
        // With an infinite neighbour, a share of 0 gives NaN. A share within its error of 0 may give an infinity
        // instead. Any other share gives an infinity, wherever it is.
        if (!isfinite(magnitude)) bound = is_doubtful(y) || is_doubtful(x) ? INFINITY : 6 * bound_basic(c->rte);
    }
    emit(c, i, (1 - y->share) * (a + b) + y->share * (d + e), magnitude, bound);
}

REFERENCE(upsample_bilinear, c) {
    const int64_t h = c->dims[H], w = c->dims[W], oh = c->dims[OH], ow = c->dims[OW];
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const struct sample_place y = place_of(c, i / ow % oh, h, oh), x = place_of(c, i % ow, w, ow);
        emit_blend(c, i, c->in[0] + i / (oh * ow) * h * w, &y, &x);
    }
}

// Coordinates are products of two sides, in integers of 32 bits or floats of 24.
static const char *upsample_derive(int64_t *dims) {
    for (int i = H; i <= OW; i++)
        if (dims[i] > 32768) return "a side is longer than 32768";
    return __builtin_mul_overflow(dims[N], dims[C], &dims[6]) ? "an operand's size overflows" : NULL;
}

COST(upsample_bilinear_flops, 11 * D(N) * D(C) * D(OH) * D(OW))

#define UPSAMPLE                                                                                                       \
    .dims = {"n", "c", "h", "w", "oh", "ow"}, .derived = {"planes"}, .derive = upsample_derive, .systems = "CF"

OPERATOR(upsample_nearest) = {
    NAMED(upsample_nearest, "convolution"),
    UPSAMPLE,
    .summary = "pictures enlarged or reduced by repeating elements",
    .formula = "y[n, c, i, j] = x[n, c, floor(i h / oh), floor(j w / ow)]",
    .source = "PyTorch, torch.nn.functional.interpolate, mode nearest; Candle, "
              "upsample_nearest2d",
    .conventions = "the quotient is exact; where it is an integer, a product with a rounded h / oh "
                   "may fall below it",
    // In float, 23 (14 / 46) is below 7, and 11 (26 / 22) below 13.
    .revealing = {{0, 0, 14, 26, 46, 22}, {0, 0, 26, 14, 22, 46}},
    .operands = {{"x", ROLE_IN, .shape = {"n", "c", "h", "w"}, MOVED},
        {"y", ROLE_OUT, .shape = {"n", "c", "oh", "ow"}, MOVED}},
    NOTHING_COMPUTED,
};

OPERATOR(upsample_bilinear) = {
    NAMED(upsample_bilinear, "convolution"),
    UPSAMPLE,
    .summary = "pictures enlarged or reduced by linear interpolation along both axes",
    .formula = "y[n, c, i, j] = mean of the four x around (r, s), weighted linearly; r = max(0, (i + "
               "1/2) h / oh - 1/2), or i (h - 1) / (oh - 1) with align_corners = 1; s likewise",
    .source = "PyTorch, torch.nn.functional.interpolate, mode bilinear",
    .conventions = "half-pixel coordinates, or corners on corners where align_corners = 1; no "
                   "antialiasing; a side of one output is at 0 when corners are aligned",
    .operands = {{"x", ROLE_IN, .shape = {"n", "c", "h", "w"}, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"y", ROLE_OUT, .shape = {"n", "c", "oh", "ow"}}},
    .params = {{"align_corners", .standard = 0, .integer = true, .low = 0, .high = 1, TELLING(1)}},
    .flops = upsample_bilinear_flops,
    .bound = "absolute: the coordinates' errors, in float 2.5 + 3 basic epsilons of r + 1/2, by the "
             "steepest step they may see; and 6 basic operations in epsilons at the sum of the "
             "weighted |x|",
};
