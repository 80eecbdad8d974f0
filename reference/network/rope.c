// SPDX-License-Identifier: Apache-2.0
// Rotary positions: pairs of elements are rotated by the angle of their position, gradients by the opposite angle.
// Models differ in the choice of pairs.
#include "../bounds.h"
#include "../reference.h"

// Rotates one head. The first element of pair i is at i stride, the second at i stride + apart.
static inline void turn_head(const struct call *c, int64_t head, int64_t stride, int64_t apart, real way) {
    const int64_t heads = c->dims[1], head_dim = c->dims[2], half = head_dim / 2;
    const int64_t position = head / heads, start = head * head_dim;
    const real *cosine = c->in[1] + position * half, *sine = c->in[2] + position * half;
    const double bound = bound_dot(1, c->rte);
    for (int64_t i = 0; i < half; i++) {
        const int64_t first = start + i * stride, second = first + apart;
        const real a = c->in[0][first], b = c->in[0][second], turn = way * sine[i];
        emit(c, first, a * cosine[i] - b * turn, (double)(fabs(a * cosine[i]) + fabs(b * turn)), bound);
        emit(c, second, b * cosine[i] + a * turn, (double)(fabs(b * cosine[i]) + fabs(a * turn)), bound);
    }
}

#define TURN(NAME, STRIDE, APART, WAY)                                                                                 \
    REFERENCE(NAME, c) {                                                                                               \
        const int64_t head_dim = c->dims[2];                                                                           \
        for (int64_t head = c->first / head_dim; head < (c->first + c->count) / head_dim; head++)                      \
            turn_head(c, head, STRIDE, APART, WAY);                                                                    \
    }

TURN(rope_half, 1, head_dim / 2, 1)
TURN(rope_interleaved, 2, 1, 1)
TURN(rope_half_backward, 1, head_dim / 2, -1)
TURN(rope_interleaved_backward, 2, 1, -1)

static const char *rope_derive(int64_t *dims) {
    if (dims[2] % 2 != 0) return "head_dim must be even: rope turns pairs";
    dims[3] = dims[2] / 2;
    return NULL;
}

// Two products and a sum an output.
COST(rope_flops, 3 * D(0) * D(1) * D(2))

#define TABLES                                                                                                         \
    "cos and sin come from tables made on the host, as the specification allows a device's own "                       \
    "an absolute error of 2^-11; position 0 is the identity"
#define ROPE_BOUND                                                                                                     \
    "ULP at the sum of the two products' absolute values: one addition, and two basic operations "                     \
    "for the products"
// clang-format off
#define ROPE(FROM, TO)                                                                             \
    .dims = {"seq", "heads", "head_dim"}, .derived = {"half"}, .derive = rope_derive,              \
    .operands = {{FROM, ROLE_IN, .shape = {"seq", "heads", "head_dim"}, .lines = LINES_SOME},                         \
        {"cos", ROLE_IN, .shape = {"seq", "half"}, .fill = FILL_COSINE, .low = 10000, .lines = LINES_BROKEN},             \
        {"sin", ROLE_IN, .shape = {"seq", "half"}, .fill = FILL_SINE, .low = 10000, .lines = LINES_BROKEN},               \
        {TO, ROLE_OUT, .shape = {"seq", "heads", "head_dim"}, .granule = {"head_dim"}}},           \
    .flops = rope_flops, .bound = ROPE_BOUND
// clang-format on

OPERATOR(rope_half) = {
    NAMED(rope_half, "attention"),
    .summary = "rotary position embedding, pairs half a head apart",
    .formula = "y[i] = x[i] cos - x[i+half] sin; y[i+half] = x[i+half] cos + x[i] sin",
    .source = "J. Su et al., RoFormer, arXiv:2104.09864; the half-split pairing of GPT-NeoX",
    .conventions = "pairs (i, i + head_dim/2), not (2i, 2i + 1); " TABLES,
    .systems = "TL",
    ROPE("x", "y"),
};

OPERATOR(rope_interleaved) = {
    NAMED(rope_interleaved, "attention"),
    .summary = "rotary position embedding, pairs of neighbours",
    .formula = "y[2i] = x[2i] cos - x[2i+1] sin; y[2i+1] = x[2i+1] cos + x[2i] sin",
    .source = "J. Su et al., RoFormer, arXiv:2104.09864, as GPT-J and Llama's own code pair",
    .conventions = "pairs (2i, 2i + 1), not (i, i + head_dim/2); " TABLES,
    .systems = "",
    ROPE("x", "y"),
};

#define NO_OTHER "the rotation the other way: only the sines' sign differs from the forward operator"

OPERATOR(rope_half_backward) = {
    NAMED(rope_half_backward, "backward"),
    .summary = "gradient of rotary position embedding, pairs half a head apart",
    .formula = "dx[i] = dy[i] cos + dy[i+half] sin; dx[i+half] = dy[i+half] cos - dy[i] sin",
    .source = "J. Su et al., RoFormer, arXiv:2104.09864; GGML, GGML_OP_ROPE_BACK",
    .conventions = NO_OTHER "; pairs (i, i + head_dim/2)",
    .systems = "LT",
    ROPE("dy", "dx"),
};

OPERATOR(rope_interleaved_backward) = {
    NAMED(rope_interleaved_backward, "backward"),
    .summary = "gradient of rotary position embedding, pairs of neighbours",
    .formula = "dx[2i] = dy[2i] cos + dy[2i+1] sin; dx[2i+1] = dy[2i+1] cos - dy[2i] sin",
    .source = "J. Su et al., RoFormer, arXiv:2104.09864; GGML, GGML_OP_ROPE_BACK",
    .conventions = NO_OTHER "; pairs (2i, 2i + 1)",
    .systems = "LT",
    ROPE("dy", "dx"),
};
