// SPDX-License-Identifier: Apache-2.0
// Attention of one query to a cache of keys and values.
#include "../sums.h"
#include "../products.h"

REFERENCE(attention_scores, c) {
    const int64_t head_dim = c->dims[1];
    const real scale = (real)c->params[0];
    const double basic = bound_basic(c->rte);
    const double units = bound_sum_of(c, head_dim - 1) + 2 * basic;
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        double magnitude = 0;
        real score = scale * dot(c->in[0], c->in[1] + i * head_dim, head_dim, &magnitude);
        magnitude *= fabs(c->params[0]);
        emit(c, i, score, magnitude, TRUTH ? ulps_at(units, magnitude) : 0);
    }
}

COST(attention_scores_flops, D(0) * (2 * D(1) + 1))

OPERATOR(attention_scores) = {
    NAMED(attention_scores, "attention"),
    .summary = "scaled scores of one query against every key of a cache",
    .formula = "s[i] = scale * sum over j of q[j] k[i, j]",
    .source = "A. Vaswani et al., Attention is all you need, NeurIPS 2017, 3.2.1; one head of "
              "torchless's decoder",
    .conventions = "the scale (1/sqrt(head_dim) in a model) is a parameter; any order of summation",
    .systems = "TL",
    .dims = {"seq", "head_dim"},
    .operands = {{"q", ROLE_IN, .shape = {"head_dim"}, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"k", ROLE_IN, .shape = {"seq", "head_dim"}, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"s", ROLE_OUT, .shape = {"seq"}}},
    .params = {{"scale", .standard = 0.125, TELLING(0, 1, -0.75, 70001)}},
    .flops = attention_scores_flops,
    .bound = "epsilons at the scaled sum of the products' absolute values: the sum (see sum_rows) "
             "and a basic operation each for the products and the scale",
};

REFERENCE(weighted_sum, c) {
    const int64_t seq = c->dims[0], head_dim = c->dims[1];
    combine_rows(c->in[0], c->in[1] + c->first, seq, head_dim, c->count, c->out, c->magnitude);
    fill_bound(c, 0, c->count, bound_dot_of(c, seq - 1));
}

COST(weighted_sum_flops, 2 * D(0) * D(1))

OPERATOR(weighted_sum) = {
    NAMED(weighted_sum, "attention"),
    .along = "head_dim",
    .summary = "values of a cache summed by their attention weights",
    .formula = "o[j] = sum over i of w[i] v[i, j]",
    .source = "A. Vaswani et al., Attention is all you need, NeurIPS 2017, 3.2.1; one head of "
              "torchless's decoder",
    .conventions = "any order of summation",
    .systems = "TL",
    .dims = {"seq", "head_dim"},
    .operands = {{"w", ROLE_IN, .shape = {"seq"}, .low = 0, .high = 1, .lines = LINES_BROKEN},
        {"v", ROLE_IN, .shape = {"seq", "head_dim"}, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"o", ROLE_OUT, .shape = {"head_dim"}}},
    .flops = weighted_sum_flops,
    .even_bound = true,
    .bound = "as matvec: ULP at the sum of the products' absolute values, the sum and two basic "
             "operations",
};
