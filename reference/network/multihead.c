// SPDX-License-Identifier: Apache-2.0
// Scaled dot-product attention of many heads. Several heads of queries may share one of keys and values. The bounds
// are derived in epsilons (bounds.h), to first order.
#include "attend.h"
#include "../attend_known.h"
#include "../sums.h"

// Returns the error of the two sums and the division. Both sums have an addition for each key. A kernel that reads
// the keys once rescales them each time the maximum rises, about ln(keys) times for keys in random order. The factor
// is the same in both sums, so its error cancels; the products round. Then come the division and a product, because
// multiplying by the reciprocal is one more operation.
static double sums_error(const struct call *c, const struct query *row) {
    const double basic = bound_basic(c->rte);
    return bound_dot_of(c, row->keys) + bound_sum_of(c, row->keys) + 2 * basic * log((double)row->keys + 1) +
           BOUND_DIVISION + basic;
}

enum { COLUMNS = 256 }; // of the output at a time; a head is rarely wider

// Marks a column as open (NaN) if a value in it is infinite or NaN. Used for keys out of sight, and for weights that
// may be flushed to 0. A device may then multiply by 0 or skip the value; both are right.
static inline void add_zeros(const real *v, int64_t count, double *open) {
    for (int64_t d = 0; d < count; d++) open[d] += 0 * (double)v[d];
}

// Marks columns for the keys out of sight, because some kernels compute their scores too and then add a mask.
static double add_hidden(const struct call *c, const struct query *row, int64_t first, int64_t count, double *open) {
    double all = 0;
    for (int64_t j = row->keys; j < c->dims[KEYS]; j++) {
        add_zeros(row->v + j * row->head_dim + first, count, open);
        for (int64_t d = 0; d < row->head_dim; d++) all += 0 * (double)row->k[j * row->head_dim + d];
    }
    return all;
}

// The state of some columns of one row's output; `open` and `all_open` are NaN if nothing is known.
struct columns {
    struct tally divisor, each[COLUMNS];
    double open[COLUMNS], all_open;
    bool fell; // a score that no mask hides is -inf
};

static void tally_columns(const struct call *c, struct columns *columns, const struct query *row, real t, double size,
    const real *v, int64_t count) {
    const double weight = exp((double)t);
    const struct tally error = weight_error(c, row, (double)t, size);
    columns->all_open += 0 * (double)t; // an exponential of NaN is a number on some devices
    tally_add(&columns->divisor, weight, &error);
    for (int64_t d = 0; d < count; d++) tally_add(&columns->each[d], fabs(weight * (double)v[d]), &error);
}

static void emit_columns(
    const struct call *c, struct columns *columns, const struct query *row, real sum, int64_t at, int64_t count) {
    if (columns->fell && sum == 0) columns->all_open = NAN; // all keys it sees have weight 0
    const double common = TRUTH ? tally_error(&columns->divisor, c->rte) + sums_error(c, row) : 0;
    // Products may be flushed in a sum of weighted values over these keys. A partial sum may also be flushed when it is
    // rescaled, or when parts of the keys are combined.
    const double lost = 2 * (double)row->keys * 0x1p-126;
    for (int64_t d = 0; d < count; d++) {
        const real out = c->out[at - c->first + d];
        const double magnitude = sum > 0 ? columns->each[d].magnitude / (double)sum : 0;
        const double units = TRUTH ? common + tally_error(&columns->each[d], c->rte) : 0;
        const double flushed = TRUTH && sum > 0 ? ulps_of(lost / (double)sum, magnitude) : 0;
        const double bound = sum > 0 ? ulps_at(first_order(units), magnitude) + flushed : 0;
        emit(c, at + d, sum > 0 ? out / sum : 0, magnitude,
            isnan(columns->open[d] + columns->all_open) ? INFINITY : bound);
    }
}

static void attend_columns(
    const struct call *c, const struct query *row, real most, int64_t at, int64_t first, int64_t count) {
    real *out = c->out + (at - c->first), sum = 0;
    // Below this score a weight is not a normal number of the type for storing it.
    const double least = dtype_info(c->dtype)->least_exponent * M_LN2 + 5;
    struct columns columns = {0};
    if (TRUTH) columns.all_open = add_hidden(c, row, first, count, columns.open);
    for (int64_t d = 0; d < count; d++) out[d] = 0;
    for (int64_t j = 0; j < row->keys; j++) {
        const real *v = row->v + j * row->head_dim + first;
        double size = 0;
        const real s = score(row, j, &size);
        const real t = s - most;
        if (TRUTH && !(t >= least)) add_zeros(v, count, columns.open);
        if (TRUTH && (t == -(real)INFINITY || isnan(t))) columns.fell |= !row->mask || isfinite(row->mask[j]);
        if (s == -(real)INFINITY) continue;
        if (s > most) { // never in the double pass, which knows the largest
            const real scale = exp(most - s);
            for (int64_t d = 0; d < count; d++) out[d] *= scale;
            sum *= scale;
            most = s;
        }
        const real weight = exp(s - most);
        sum += weight;
        for (int64_t d = 0; d < count; d++) out[d] += weight * v[d];
        if (TRUTH) tally_columns(c, &columns, row, s - most, size, v, count);
    }
    emit_columns(c, &columns, row, sum, at, count);
}

static void attend(const struct call *c, const struct query *row, int64_t at) {
    const real most = TRUTH ? largest_score(row) : -(real)INFINITY;
    for (int64_t first = 0; first < row->head_dim; first += COLUMNS) {
        const int64_t left = row->head_dim - first;
        attend_columns(c, row, most, at + first, first, left < COLUMNS ? left : COLUMNS);
    }
}

REFERENCE(attention, c) {
    const int64_t head_dim = c->dims[HEAD_DIM];
    for (int64_t at = c->first; at < c->first + c->count; at += head_dim) {
        struct query row = query_of(c, 0, at / head_dim);
        row.keys = keys_seen(c->dims, at / head_dim % c->dims[QUERIES]);
        attend(c, &row, at);
    }
}

REFERENCE(attention_masked, c) {
    const int64_t head_dim = c->dims[HEAD_DIM];
    for (int64_t at = c->first; at < c->first + c->count; at += head_dim) {
        struct query row = query_of(c, 0, at / head_dim);
        row.mask = c->in[3] + at / head_dim % c->dims[QUERIES] * row.keys;
        attend(c, &row, at);
    }
}

// clang-format off
// Scores vary so much that some weights dominate.
#define QKV {"q", ROLE_IN, .shape = {"batch", "heads", "queries", "head_dim"}, .low = -1, .high = 2,            \
        .lines = LINES_FINITE, .outlier = {.along = "head_dim", .low = 1, .high = 1}},             \
    {"k", ROLE_IN, .shape = {"batch", "kv_heads", "keys", "head_dim"}, .low = -1, .high = 2, .lines = LINES_SOME,      \
        .outlier = {.along = "keys", .low = 127.5, .high = 127.6}},                                \
    {"v", ROLE_IN, .shape = {"batch", "kv_heads", "keys", "head_dim"}, .low = -0.25, .high = 1, .lines = LINES_SOME}
#define OUTPUT {"o", ROLE_OUT, .shape = {"batch", "heads", "queries", "head_dim"},                 \
                .granule = {"head_dim"}}
// clang-format on
#define GROUPED                                                                                                        \
    "heads is a multiple of kv_heads, and heads / kv_heads neighbours share one head of keys and values; the scale "   \
    "(1/sqrt(head_dim) in a model) is a parameter; a query without keys gives 0 (PyTorch: NaN)"
#define ATTENTION_BOUND                                                                                                \
    "epsilons at the sum of |weight value| over the divisor. A weight errs by 3 + 2|t| of exp and a basic operation "  \
    "times |t|, t = score - max; by the roundings of its score, at the sum of its absolute terms; and by one "         \
    "rounding to the dtype of the case, as in matrix units. The latter two are independent: their squares add up. A "  \
    "weight below the least normal number of this dtype may be 0, and so may a product with a value below the least "  \
    "normal f32. The same for the divisor, then both sums over the keys, ln(keys) rescalings, the division and a "     \
    "product. Open if a score is NaN or the largest infinity, or if all scores are the least infinity. Open if an "    \
    "infinite or NaN value belongs to a key without weight or with a negligible one"
#define SOURCE "A. Vaswani et al., arXiv:1706.03762, 3.2; grouped heads: J. Ainslie et al., arXiv:2305.13245"

static const char *attention_derive(int64_t *dims) {
    if (dims[HEADS] % dims[KV_HEADS]) return "heads is no multiple of kv_heads";
    return NULL;
}

static const char *causal_derive(int64_t *dims) {
    return dims[CAUSAL] > 1 ? "causal is 0 or 1" : attention_derive(dims);
}

// For each pair of a query and a key: a product, and its scale, compare, subtract, exp, add; a product with the
// value.
#define OF_PAIRS(PAIRS) D(BATCH) * D(HEADS) * (PAIRS) * (4 * D(HEAD_DIM) + 5)
COST(attention_masked_flops, OF_PAIRS(D(QUERIES) * D(KEYS)))
COST(attention_flops, OF_PAIRS(pairs_seen(D(QUERIES), D(KEYS), dims[CAUSAL])))

OPERATOR(attention) = {
    NAMED(attention, "attention"),
    .summary = "scaled dot-product attention of many heads, causal or not",
    .formula = "o = softmax(scale q k^T) v",
    .source = SOURCE,
    .conventions = GROUPED "; causal: query i sees the keys up to i + keys - queries, so the last query sees all of "
                           "them (PyTorch's is_causal counts from the first)",
    .systems = "TL TS CF",
    .dims = {"batch", "heads", "kv_heads", "queries", "keys", "head_dim", "causal"},
    .options = {OPTION("heads", 2, 4), OPTION("kv_heads", 1, 2), OPTION("causal", 0, 1)},
    .derive = causal_derive,
    .zero_ok = {"causal"},
    .operands = {QKV, OUTPUT},
    .params = {{"scale", .standard = 0.125, TELLING(0, 1, -0.75)}},
    .flops = attention_flops,
    .bound = ATTENTION_BOUND,
    .known = &attention_known,
};

OPERATOR(attention_masked) = {
    NAMED(attention_masked, "attention"),
    .summary = "scaled dot-product attention with an additive mask",
    .formula = "o = softmax(scale q k^T + mask) v",
    .source = SOURCE,
    .conventions = GROUPED "; masked is -inf, and one mask serves all heads",
    .systems = "TS CF TL",
    .dims = {"batch", "heads", "kv_heads", "queries", "keys", "head_dim"},
    .options = {OPTION("heads", 2, 4), OPTION("kv_heads", 1, 2)},
    .derive = attention_derive,
    .operands = {QKV, {"mask", ROLE_IN, .shape = {"queries", "keys"}, .fill = FILL_MASK, .lines = LINES_MASKED},
        OUTPUT},
    .params = {{"scale", .standard = 0.125, TELLING(0, 1, -0.75)}},
    .flops = attention_masked_flops,
    .bound = ATTENTION_BOUND,
    .known = &attention_masked_known,
};
