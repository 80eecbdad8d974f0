// SPDX-License-Identifier: Apache-2.0
// Copies from several sources, or through an index. Nothing is computed, so every output is exact.
#include "../strided_view.h"

REFERENCE(concat, c) {
    const int64_t a_row = c->dims[1] * c->dims[3], b_row = c->dims[2] * c->dims[3];
    const int64_t row = a_row + b_row;
    int64_t outer = c->first / row, at = c->first % row;
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        emit(c, i, at < a_row ? c->in[0][outer * a_row + at] : c->in[1][outer * b_row + at - a_row], 0, 0);
        if (++at == row) {
            at = 0;
            outer++;
        }
    }
}

static const char *concat_derive(int64_t *dims) {
    return __builtin_add_overflow(dims[1], dims[2], &dims[4]) ? "an operand's size overflows" : NULL;
}

OPERATOR(concat) = {
    NAMED(concat, "movement"),
    .summary = "two tensors one behind the other along an axis",
    .formula = "y[o, i, j] = i < a_size ? a[o, i, j] : b[o, i - a_size, j]",
    .source = "NumPy, numpy.concatenate",
    .conventions = "a is [outer, a_size, inner], b is [outer, b_size, inner]",
    .systems = "CF TF",
    .dims = {"outer", "a_size", "b_size", "inner"},
    .derived = {"y_size"},
    .derive = concat_derive,
    .operands = {{"a", ROLE_IN, .shape = {"outer", "a_size", "inner"}, MOVED},
        {"b", ROLE_IN, .shape = {"outer", "b_size", "inner"}, MOVED},
        {"y", ROLE_OUT, .shape = {"outer", "y_size", "inner"}, MOVED}},
    NOTHING_COMPUTED,
};

REFERENCE(pad, c) {
    const int64_t h = c->dims[1], w = c->dims[2], top = c->dims[3], left = c->dims[5];
    const struct strided_view padded = {
        .size = {1, c->dims[0], c->dims[7], c->dims[8]}, .stride = {0, h * w, w, 1}, .base = -top * w - left};
    const real value = (real)dtype_round(c->dtype, c->params[0]);
    struct place place = view_place(&padded, c->first);
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const int64_t row = place.at[2] - top, col = place.at[3] - left;
        const bool inside = row >= 0 && row < h && col >= 0 && col < w;
        emit(c, i, inside ? c->in[0][place.offset] : value, 0, 0);
        view_next(&padded, &place);
    }
}

static const char *pad_derive(int64_t *dims) {
    bool fits =
        !__builtin_add_overflow(dims[1], dims[3], &dims[7]) && !__builtin_add_overflow(dims[7], dims[4], &dims[7]) &&
        !__builtin_add_overflow(dims[2], dims[5], &dims[8]) && !__builtin_add_overflow(dims[8], dims[6], &dims[8]);
    return fits ? NULL : "an operand's size overflows";
}

OPERATOR(pad) = {
    NAMED(pad, "movement"),
    .summary = "planes with a border of one value",
    .formula = "y[p, i, j] = x[p, i - top, j - left] inside, value outside",
    .source = "PyTorch, torch.nn.functional.pad, mode constant",
    .systems = "CF TF",
    .dims = {"planes", "h", "w", "top", "bottom", "left", "right"},
    .options = {OPTION("top", 0, 1, 2), OPTION("bottom", 0, 1, 2), OPTION("left", 0, 1, 2), OPTION("right", 0, 1, 2)},
    .derived = {"oh", "ow"},
    .derive = pad_derive,
    .zero_ok = {"top", "bottom", "left", "right"},
    .operands = {{"x", ROLE_IN, .shape = {"planes", "h", "w"}, MOVED},
        {"y", ROLE_OUT, .shape = {"planes", "oh", "ow"}, MOVED}},
    .params = {{"value", .standard = 0.25, TELLING(0, -2, 57344, 0x1.cp-14)}},
    .flops = flops_none,
    .bound = "exact: nothing is computed; every float type has the value",
};

REFERENCE(gather_stride, c) {
    for (int64_t i = c->first; i < c->first + c->count; i++) emit(c, i, c->in[0][i * c->dims[1]], 0, 0);
}

REFERENCE(gather_random, c) {
    for (int64_t i = c->first; i < c->first + c->count; i++) emit(c, i, c->in[1][c->ints[0][i]], 0, 0);
}

static void scatter_some(void *context, int64_t first, int64_t count) {
    const struct call *c = context;
    for (int64_t i = first; i < first + count; i++) {
        const int64_t to = c->ints[0][i];
        if (to >= c->first && to < c->first + c->count) emit(c, to, c->in[1][i], 0, 0);
    }
}

// Writes through a permutation: each output occurs once. A part of them costs as much as all, so they are one
// granule.
REFERENCE(scatter_random, c) {
    struct call call = *c;
    if (c->on_cores)
        c->on_cores(c->dims[0], 1 << 14, scatter_some, &call);
    else
        scatter_some(&call, 0, c->dims[0]);
}

COST(gather_stride_bytes, 8 * D(0))

OPERATOR(gather_stride) = {
    NAMED(gather_stride, "movement"),
    .summary = "every stride-th element: the cost of reads without coalescing",
    .formula = "y[i] = x[stride * i]",
    .source = "the usual coalescing micro-benchmark; ToRSh, memory access patterns",
    .conventions = "bytes count the used elements; at stride 1 it is a copy",
    .systems = "TS",
    .dims = {"n", "stride"},
    .options = {OPTION("stride", 1, 2, 3, 5)},
    .operands = {{"x", ROLE_IN, .shape = {"n", "stride"}, MOVED}, {"y", ROLE_OUT, .shape = {"n"}, MOVED}},
    .flops = flops_none,
    .bytes = gather_stride_bytes, // one element of each stride, read and written
    .bound = EXACT_COPY,
};

OPERATOR(gather_random) = {
    NAMED(gather_random, "movement"),
    .summary = "a copy through a random permutation: the worst scattering of reads",
    .formula = "y[i] = x[index[i]]",
    .source = "the usual coalescing micro-benchmark; ToRSh, memory access patterns",
    .conventions = "each element is read once",
    .systems = "TS",
    .dims = {"n"},
    .operands = {{"index", ROLE_IN, DTYPE_I32, .shape = {"n"}, .fill = FILL_PERMUTATION},
        {"x", ROLE_IN, .shape = {"n"}, MOVED}, {"y", ROLE_OUT, .shape = {"n"}, MOVED}},
    NOTHING_COMPUTED,
};

OPERATOR(scatter_random) = {
    NAMED(scatter_random, "movement"),
    .summary = "a copy to a random permutation: the worst scattering of writes",
    .formula = "y[index[i]] = x[i]",
    .source = "the usual coalescing micro-benchmark; ToRSh, memory access patterns",
    .conventions = "each element is written once",
    .systems = "TS",
    .dims = {"n"},
    .operands = {{"index", ROLE_IN, DTYPE_I32, .shape = {"n"}, .fill = FILL_PERMUTATION},
        {"x", ROLE_IN, .shape = {"n"}, MOVED}, {"y", ROLE_OUT, .shape = {"n"}, .granule = {"n"}, MOVED}},
    NOTHING_COMPUTED,
};
