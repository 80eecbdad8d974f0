// SPDX-License-Identifier: Apache-2.0
// Gradients of scaled dot-product attention. The weights are computed anew from queries and keys. Bounds are derived
// in epsilons (bounds.h), to first order.
#include "attend.h"
#include "../reductions/column_sums.h"
#include "../sums.h"

enum { DO, Q, K, V, DQ, DK, DV };

// A query and one of its keys: the weight p, and the slope ds = p (dp - sum(p dp)) of the score. Here dp is the
// incoming gradient times the value. `linear` errors are worst cases that add up. `own` errors come from the
// roundings of the score, independent of other pairs.
struct pair {
    real p, ds;
    double p_linear, p_own, ds_linear, ds_own;
    struct tally weight;
    double dp, dp_size; // intermediate values
};

// Returns the error that all weights of a query inherit from their divisor. A weight may be a quotient, or exp(score
// - max - log sum). The logarithm errs by 3 epsilon, or an absolute 2^-21 up to 2.
static double divisor_error(const struct call *c, const struct query *row, const struct tally *sum, double most) {
    const double basic = bound_basic(c->rte), logarithm = log(sum->magnitude);
    return tally_error(sum, c->rte) + bound_sum_of(c, row->keys) + 2 * basic * log((double)row->keys + 1) +
           BOUND_DIVISION + basic + 2 * basic * (fabs(most) + logarithm) + fmax(4, 3 * logarithm);
}

// Sets the errors of all pairs. sum(p dp) may also be computed as the gradient times the output. Both err at the sum
// of all absolute terms.
static void set_errors(const struct call *c, const struct query *row, struct pair *pairs, double divisor, double mean) {
    const double basic = bound_basic(c->rte), dot_bound = bound_dot(row->head_dim, c->rte);
    struct tally sum = {0};
    for (int64_t j = 0; j < row->keys; j++) tally_add(&sum, (double)pairs[j].p * pairs[j].dp_size, &pairs[j].weight);
    const double mean_error =
        sum.magnitude * (tally_error(&sum, c->rte) + divisor + dot_bound + bound_dot_of(c, row->keys));
    for (int64_t j = 0; j < row->keys; j++) {
        struct pair *at = &pairs[j];
        const double p = (double)at->p, ds = fabs((double)at->ds);
        const double likely = BOUND_LAMBDA / 2 * sqrt(at->weight.squares);
        const double own = c->rte ? fmin(at->weight.worst, likely) : at->weight.worst;
        at->p_linear = p * (at->weight.linear + divisor + basic);
        at->p_own = p * own;
        at->ds_linear =
            ds * (at->weight.linear + divisor + 4 * basic) + p * (mean_error + basic * (fabs(at->dp) + fabs(mean)));
        at->ds_own = ds * own + p * at->dp_size * dot_bound;
    }
}

static void make_pairs(const struct call *c, const struct query *row, const real *gradient, struct pair *pairs) {
    const real most = largest_score(row);
    struct tally divisor = {0};
    real sum = 0, mean = 0;
    for (int64_t j = 0; j < row->keys; j++) {
        double size = 0;
        const real t = score(row, j, &size) - most, weight = exp(t);
        pairs[j] = (struct pair){.p = weight};
        sum += weight;
        if (!TRUTH) continue;
        pairs[j].weight = weight_error(c, row, (double)t, size);
        tally_add(&divisor, (double)weight, &pairs[j].weight);
    }
    for (int64_t j = 0; j < row->keys; j++) {
        const real dp = dot(gradient, row->v + j * row->head_dim, row->head_dim, &pairs[j].dp_size);
        pairs[j].p /= sum;
        pairs[j].ds = dp;
        pairs[j].dp = (double)dp;
        mean += pairs[j].p * dp;
    }
    for (int64_t j = 0; j < row->keys; j++) pairs[j].ds = pairs[j].p * (pairs[j].ds - mean);
    if (TRUTH && row->keys > 0) set_errors(c, row, pairs, divisor_error(c, row, &divisor, (double)most), (double)mean);
}

// Adds factor * value to an output row in the call's range.
static inline void add_row(const struct call *c, struct summed_column *columns, int64_t at, real factor, double linear,
    double own, const real *value) {
    for (int64_t d = 0; d < c->dims[HEAD_DIM]; d++) {
        const double size = fabs((double)value[d]);
        column_add(c, columns, at - c->first + d, factor * value[d], linear * size, own * size);
    }
}

static void add_query(const struct call *c, struct summed_column *columns, int64_t query, const struct query *row,
    const struct pair *pairs) {
    const double scale = fabs((double)row->scale);
    const int64_t head_dim = row->head_dim, key_row = (row->k - c->in[K]) / head_dim;
    for (int64_t j = 0; j < row->keys; j++) {
        const struct pair *at = &pairs[j];
        const int64_t to = (key_row + j) * head_dim;
        if (c->output == DQ)
            add_row(c, columns, query * head_dim, row->scale * at->ds, scale * at->ds_linear, scale * at->ds_own,
                row->k + j * head_dim);
        else if (to < c->first || to >= c->first + c->count)
            continue;
        else if (c->output == DK)
            add_row(c, columns, to, row->scale * at->ds, scale * at->ds_linear, scale * at->ds_own, row->q);
        else
            add_row(c, columns, to, at->p, at->p_linear, at->p_own, c->in[DO] + query * head_dim);
    }
}

// Runs over the queries with a part in the range: its own, or the queries of heads sharing its keys.
REFERENCE(attention_backward, c) {
    const int64_t *dims = c->dims, head_dim = dims[HEAD_DIM], group = dims[HEADS] / dims[KV_HEADS];
    const int64_t of_head = c->output == DQ ? head_dim : dims[KEYS] * head_dim;
    const int64_t each = c->output == DQ ? 1 : group * dims[QUERIES];
    const int64_t first = c->first / of_head * each;
    const int64_t end = ((c->first + c->count - 1) / of_head + 1) * each;
    struct summed_column *columns = columns_open(c);
    struct pair *pairs = malloc((size_t)dims[KEYS] * sizeof *pairs);
    for (int64_t query = first; pairs && query < end; query++) {
        struct query row = query_of(c, Q, query);
        row.keys = keys_seen(dims, query % dims[QUERIES]);
        make_pairs(c, &row, c->in[DO] + query * head_dim, pairs);
        add_query(c, columns, query, &row, pairs);
    }
    for (int64_t i = 0; !pairs && i < c->count; i++) c->out[i] = NAN; // no kernel matches
    free(pairs);
    columns_close(c, columns, bound_dot_of(c, c->output == DQ ? dims[KEYS] : group * dims[QUERIES]));
}

// clang-format off
#define QUERIES_LIKE(NAME, ROLE, LOW, HIGH)                                                        \
    {NAME, ROLE, .shape = {"batch", "heads", "queries", "head_dim"}, .granule = {"head_dim"},      \
     .low = LOW, .high = HIGH}
#define KEYS_LIKE(NAME, ROLE, LOW, HIGH)                                                           \
    {NAME, ROLE, .shape = {"batch", "kv_heads", "keys", "head_dim"},                               \
     .granule = {"keys", "head_dim"}, .low = LOW, .high = HIGH}
// clang-format on

static const char *attention_backward_derive(int64_t *dims) {
    if (dims[CAUSAL] > 1) return "causal is 0 or 1";
    if (dims[HEADS] % dims[KV_HEADS]) return "heads is no multiple of kv_heads";
    dims[7] = dims[HEADS] / dims[KV_HEADS];
    return NULL;
}

// For each pair of a query and a key it sees: products for its score and for dp, and three more with gradients. Then
// exp and six other operations.
COST(attention_backward_flops,
    D(BATCH) * D(HEADS) * pairs_seen(D(QUERIES), D(KEYS), dims[CAUSAL]) * (10 * D(HEAD_DIM) + 7))

OPERATOR(attention_backward) = {
    NAMED(attention_backward, "backward"),
    .summary = "gradients of attention, of the queries, the keys and the values",
    .formula = "dv = p^T do; ds = p * (dp - sum(p * dp)), dp = do v^T; dq = scale ds k; dk = scale "
               "ds^T q, with p = softmax(scale q k^T)",
    .source = "T. Dao et al., FlashAttention, arXiv:2205.14135, B.4",
    .conventions = "weights are recomputed; heads with shared keys and values add their gradients; causal as in "
                   "attention; a query without keys has no gradient",
    .systems = "LT",
    .dims = {"batch", "heads", "kv_heads", "queries", "keys", "head_dim", "causal"},
    .options = {OPTION("heads", 2, 4), OPTION("kv_heads", 1, 2), OPTION("causal", 0, 1)},
    .derived = {"group"},
    .derive = attention_backward_derive,
    .zero_ok = {"causal"},
    .operands = {QUERIES_LIKE("do", ROLE_IN, -0.25, 1), QUERIES_LIKE("q", ROLE_IN, -1, 2),
        KEYS_LIKE("k", ROLE_IN, -1, 2), KEYS_LIKE("v", ROLE_IN, -0.25, 1), QUERIES_LIKE("dq", ROLE_OUT, 0, 0),
        KEYS_LIKE("dk", ROLE_OUT, 0, 0), KEYS_LIKE("dv", ROLE_OUT, 0, 0)},
    .params = {{"scale", .standard = 0.125, TELLING(0, 1, -0.75)}},
    .flops = attention_backward_flops,
    .bound = "epsilons at the sum of the absolute terms: weights as in attention, by a quotient or "
             "through the logarithm of the sum; dp as a sum of products; sum(p dp) by both, at its "
             "absolute terms; then the sums over keys or queries. Roundings of scores and of dp "
             "are independent, their squares add up",
};
