// SPDX-License-Identifier: Apache-2.0
// Random numbers of Philox4x32-10. Element i uses word i % 4 of the block for seed and offset + i / 4. The order and
// the number of invocations do not matter.
#include "../bounds.h"
#include "../philox.h"
#include "../reference.h"

enum { SEED, OFFSET, PARAM }; // the parameters, in this order

static inline uint32_t random_bits(const struct call *c, int64_t i) {
    const uint64_t offset = (uint64_t)c->params[OFFSET];
    return philox((uint64_t)c->params[SEED], offset + (uint64_t)i / 4, 0).v[i % 4];
}

// Uses only as many bits as the type's significand has, so the largest number is not rounded to 1.
REFERENCE(rand_uniform, c) {
    const int bits = dtype_info(c->dtype)->significand;
    for (int64_t i = c->first; i < c->first + c->count; i++)
        emit(c, i, ldexp((real)(random_bits(c, i) >> (32 - bits)), -bits), 0, 0);
}

// Returns the absolute error of a radius sqrt(-2 log u). log errs by 3 ULP below a half, and by 2^-21 above. At u
// near 1 this is more than the logarithm itself. Then follow the errors of the square root and of the product by -2.
static double radius_error(double u, double radius) {
    const double logarithm = -log(u);
    const double error = 2 * (u >= 0.5 ? 0x1p-21 : 3 * dtype_ulp(DTYPE_F32, logarithm));
    const double from = sqrt(fmax(radius * radius - error, 0));
    const double to = sqrt(radius * radius + error);
    return fmax(to - radius, radius - from) + (BOUND_SQRT + 1) * dtype_ulp(DTYPE_F32, to);
}

// The first number of a pair gives the radius. It is in (0, 1], so its logarithm is finite. The second gives the
// angle in [-pi, pi), the range with a specified bound of sine and cosine. Even elements use the cosine, odd ones the
// sine.
REFERENCE(rand_normal, c) {
    const double sigma = c->params[PARAM + 1];
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const real u = (real)((random_bits(c, i & ~(int64_t)1) >> 8) + 1) * (real)0x1p-24;
        const real turn = (real)(random_bits(c, i | 1) >> 8) * (real)0x1p-24 - (real)0.5;
        const real radius = sqrt(-2 * log(u)), angle = turn * (real)6.283185307179586;
        const real unit = i & 1 ? sin(angle) : cos(angle), z = radius * unit;
        const real y = (real)c->params[PARAM] + (real)sigma * z;
        if (!TRUTH) {
            emit(c, i, y, 0, 0);
            continue;
        }
        // 2^-11 of sine and cosine, and two roundings of the angle: of the product and of 2 pi.
        const double basic = bound_basic(c->rte), angle_error = 2 * basic * 4 * 0x1p-23;
        const double error = radius_error((double)u, (double)radius) + (double)radius * (0x1p-11 + angle_error);
        const double magnitude = fabs(c->params[PARAM]) + fabs(sigma * (double)z);
        const double ulp = dtype_ulp(DTYPE_F32, magnitude);
        emit(c, i, y, magnitude, fabs(sigma) * error / ulp + 3 * basic);
    }
}

static inline double random_uniform(const struct call *c, int64_t i) {
    return philox_uniform(random_bits(c, i));
}

REFERENCE(bernoulli, c) {
    const double p = (double)(float)c->params[PARAM];
    for (int64_t i = c->first; i < c->first + c->count; i++) emit(c, i, random_uniform(c, i) < p, 0, 0);
}

REFERENCE(dropout, c) {
    const double p = (double)(float)c->params[PARAM];
    const double units = 3 * bound_basic(c->rte) + BOUND_DIVISION;
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const bool dropped = random_uniform(c, i) < p;
        const real y = dropped ? 0 : c->in[0][i] / (real)(1 - p);
        emit(c, i, y, 0, dropped ? 0 : ulps_at(units, (double)y));
    }
}

#define PHILOX "J. Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC'11"
#define STREAM "key = seed, counter = offset + i / 4, word i % 4; the same numbers on every device"
// clang-format off
#define SEED_AND_OFFSET {"seed", .standard = 42, .integer = true, .low = 0, .high = INT32_MAX, TELLING(0, 70001, INT32_MAX)},    \
    {"offset", .standard = 0, .integer = true, .low = 0, .high = INT32_MAX, TELLING(1, 70001, INT32_MAX)}
// Two settings of them, after which the first 24 bits of element 0 are all 0 and all 1. They come once in 2^24 numbers.
#define SEED_OF_ENDS 42
#define OFFSET_OF_ZERO 25077234
#define OFFSET_OF_ONES 3135530
#define ENDS(...) {SEED_OF_ENDS, OFFSET_OF_ZERO, __VA_ARGS__}, {SEED_OF_ENDS, OFFSET_OF_ONES, __VA_ARGS__}
// clang-format on

OPERATOR(rand_uniform) = {
    NAMED(rand_uniform, "random"),
    .summary = "uniform random numbers in [0, 1)",
    .formula = "y[i] = philox(seed, offset)[i] / 2^32, cut to the bits of the dtype",
    .source = PHILOX,
    .conventions = STREAM "; half-open: the upper 24 bits in f32 (11 in f16, 8 in bf16), so that "
                          "1 never occurs",
    .systems = "CF TF LT",
    .dims = {"n"},
    .operands = {{"y", ROLE_OUT, .shape = {"n"}}},
    .params = {SEED_AND_OFFSET},
    TOGETHER({SEED_OF_ENDS, OFFSET_OF_ZERO}, {SEED_OF_ENDS, OFFSET_OF_ONES}),
    .flops = flops_none,
    .bound = "exact: integers, and a multiplication by a power of two",
};

COST(rand_normal_flops, 6 * D(0)) // half a log and a root, an angle, a sine, a product, an affine map

OPERATOR(rand_normal) = {
    NAMED(rand_normal, "random"),
    .summary = "normal random numbers",
    .formula = "y = mean + sigma sqrt(-2 log u) cos(a) (odd elements: sin(a)), a = 2 pi (v - 1/2)",
    .source = "G. Box and M. Muller, A note on the generation of random normal deviates, Ann. "
              "Math. Statist. 29 (1958); " PHILOX,
    .conventions = STREAM "; u = (bits + 1) / 2^24 of the even word is never 0, v = bits / 2^24 of "
                          "the odd one; |y - mean| is at most 5.77 sigma",
    .systems = "CF TF LT",
    .dims = {"n"},
    .operands = {{"y", ROLE_OUT, .shape = {"n"}}},
    .params = {SEED_AND_OFFSET, {"mean", .standard = 0, TELLING(-2.7, 100)},
        {"sigma", .standard = 1, TELLING(0, 0.3, -2.7)}},
    TOGETHER(ENDS(0, 1)),
    .flops = rand_normal_flops,
    .bound = "log 3 ULP, or 2^-21 from u = 1/2 on, carried through the root; 2^-11 of sine or cosine times the radius. "
             "The specification allows this much. A better device stays far below, because nothing accumulates",
};

OPERATOR(bernoulli) = {
    NAMED(bernoulli, "random"),
    .summary = "1 with a probability, otherwise 0",
    .formula = "y[i] = u[i] < p",
    .source = "PyTorch, Tensor.bernoulli_; " PHILOX,
    .conventions = STREAM "; u has 24 bits in every dtype; p = 0 gives no 1, p = 1 no 0",
    .systems = "",
    .dims = {"n"},
    .operands = {{"y", ROLE_OUT, .shape = {"n"}}},
    .params = {SEED_AND_OFFSET, {"p", .standard = 0.25, .low = 0, .high = 1, TELLING(0, 0.7, 1)}},
    TOGETHER(ENDS(0), ENDS(1)),
    .flops = flops_one_each,
    .bound = "exact: a comparison",
};

OPERATOR(dropout) = {
    NAMED(dropout, "random"),
    .summary = "elements set to 0 with a probability, the others scaled up",
    .formula = "y[i] = u[i] < p ? 0 : x[i] / (1 - p)",
    .source = "N. Srivastava et al., Dropout, JMLR 15 (2014), in the inverted form of PyTorch; " PHILOX,
    .conventions = STREAM "; u has 24 bits in every dtype; a dropped element is 0 whatever x is",
    .systems = "LT TS",
    .dims = {"n"},
    .operands = {{"x", ROLE_IN, .shape = {"n"}, .low = -1, .high = 1, .specials = true},
        {"y", ROLE_OUT, .shape = {"n"}}},
    .params = {SEED_AND_OFFSET, {"p", .standard = 0.25, .low = 0, .high = 1, TELLING(0, 0.7, 1)}},
    TOGETHER(ENDS(0), ENDS(1)),
    .flops = flops_one_each,
    .bound = "epsilons: 1 - p and a product, or a division by it (2.5); 0 where dropped",
};
