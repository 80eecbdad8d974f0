// SPDX-License-Identifier: Apache-2.0
// Operators whose only purpose is to find what a device can do at most.
#include "bounds.h"
#include "reference.h"

// x moves to the fixed point b / (1 - a) and never leaves the interval between where it began and
// there, so that each iteration adds at most two roundings at that magnitude, of which later
// iterations keep a, a^2, ...
REFERENCE(fma_chain, c) {
    const int64_t iterations = c->dims[1];
    const real a = (real)c->params[0], b = (real)c->params[1];
    const double kept = (1 - pow(c->params[0], (double)iterations)) / (1 - c->params[0]);
    const double bound = 2 * bound_basic(c->rte) * kept, fixed = fabs(c->params[1] / (1 - c->params[0]));
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        real y = c->in[0][i];
        for (int64_t j = 0; j < iterations; j++) y = y * a + b;
        emit(c, i, y, fmax(fixed, fabs((double)c->in[0][i])), bound);
    }
}

COST(fma_chain_flops, 2 * D(0) * D(1))

OPERATOR(fma_chain) = {
    NAMED(fma_chain, "peak"),
    .summary = "multiply-adds in registers: the device's arithmetic peak",
    .formula = "y = x, then iterations times y = y * a + b",
    .source = "the usual peak micro-benchmark (clpeak, vkpeak), made contracting so that its "
              "result can be checked",
    .conventions = "fused or not; with a = 1 - 2^-10 and b = 2^-10 values move from x towards 1",
    .systems = "",
    .dims = {"n", "iterations"},
    .operands = {{"x", ROLE_IN, .shape = {"n"}}, {"y", ROLE_OUT, .shape = {"n"}}},
    .params = {{"a", .standard = 1 - 0x1p-10, .low = 0, .high = 1 - 0x1p-20},
        {"b", .standard = 0x1p-10, .low = -1, .high = 1}},
    .flops = fma_chain_flops,
    .bound = "ULP at the larger of |x| and the fixed point: two basic operations an iteration, of "
             "which later ones keep a geometric sum, (1 - a^iterations) / (1 - a)",
};

REFERENCE(nothing, c) {
    for (int64_t i = c->first; i < c->first + c->count; i++) emit(c, i, c->in[0][i], 0, 0);
}

OPERATOR(nothing) = {
    NAMED(nothing, "peak"),
    .summary = "an empty dispatch: what a launch costs by itself",
    .formula = "y = y",
    .source = "the usual launch-latency micro-benchmark",
    .systems = "",
    .dims = {"n"},
    .operands = {{"y", ROLE_INOUT, .shape = {"n"}, MOVED}},
    .flops = flops_none,
    .bytes = flops_none, // none either
    .bound = EXACT_COPY,
};
