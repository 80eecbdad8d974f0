// SPDX-License-Identifier: Apache-2.0
// Copies of tensors viewed through strides. Nothing is computed, so every output is exact.
//
// An operator along one axis has a tensor of [outer, size, inner]. These are the product of the dims before the axis,
// the axis, and the product of the dims after it. This covers any axis of a tensor of any rank.
#include "../strided_view.h"

REFERENCE(permute, c) {
    struct strided_view view = {.base = 0};
    for (int i = 0; i < 4; i++) {
        view.size[i] = c->dims[8 + i];
        view.stride[i] = c->dims[12 + i];
    }
    emit_view(c, 0, view);
}

// Computes the sizes of y, and the stride of x for each axis of y.
static const char *permute_derive(int64_t *dims) {
    int64_t stride[4];
    unsigned seen = 0;
    if (!view_contiguous(dims, stride)) return "an operand's size overflows";
    for (int i = 0; i < 4; i++) {
        int64_t axis = dims[4 + i];
        if (axis > 3) return "an axis is not one of 0, 1, 2, 3";
        seen |= 1u << axis;
        dims[8 + i] = dims[axis];
        dims[12 + i] = stride[axis];
    }
    return seen == 15 ? NULL : "the order names an axis twice";
}

#define AXES 0, 1, 2, 3

OPERATOR(permute) = {
    NAMED(permute, "movement"),
    .summary = "a tensor of four dims with its axes in another order",
    .formula = "y = x with axis i of y being axis p_i of x",
    .source = "PyTorch, Tensor.permute and contiguous",
    .conventions = "axes are counted from 0, outermost first; y is contiguous",
    .systems = "TS CF",
    .dims = {"d0", "d1", "d2", "d3", "p0", "p1", "p2", "p3"},
    .options = {OPTION("p0", AXES), OPTION("p1", AXES), OPTION("p2", AXES), OPTION("p3", AXES)},
    .derived = {"y0", "y1", "y2", "y3", "s0", "s1", "s2", "s3"},
    .derive = permute_derive,
    .zero_ok = {"p0", "p1", "p2", "p3"},
    .operands = {{"x", ROLE_IN, .shape = {"d0", "d1", "d2", "d3"}, MOVED},
        {"y", ROLE_OUT, .shape = {"y0", "y1", "y2", "y3"}, MOVED}},
    NOTHING_COMPUTED,
};

// Copies rows; the elements between the rows of y stay as they were.
REFERENCE(copy2d, c) {
    const int64_t cols = c->dims[1], x_stride = c->dims[2], y_stride = c->dims[3];
    int64_t row = c->first / y_stride, col = c->first % y_stride;
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        emit(c, i, col < cols ? c->in[0][row * x_stride + col] : c->in[1][i], 0, 0);
        if (++col == y_stride) {
            col = 0;
            row++;
        }
    }
}

static const char *copy2d_derive(int64_t *dims) {
    return dims[2] < dims[1] || dims[3] < dims[1] ? "a row's stride is less than its length" : NULL;
}

COST(copy2d_bytes, 8 * D(0) * D(1))

OPERATOR(copy2d) = {
    NAMED(copy2d, "movement"),
    .summary = "rows copied between two memories with room behind each row",
    .formula = "y[i, j] = x[i, j] for j < cols",
    .source = "CUDA, cudaMemcpy2D; Candle, copy2d",
    .conventions = "strides in elements; elements behind a row of y keep their values",
    .systems = "CF",
    .dims = {"rows", "cols", "x_stride", "y_stride"},
    .derive = copy2d_derive,
    .operands = {{"x", ROLE_IN, .shape = {"rows", "x_stride"}, MOVED},
        {"y", ROLE_INOUT, .shape = {"rows", "y_stride"}, MOVED}},
    .flops = flops_none,
    .bytes = copy2d_bytes, // only the rows
    .bound = EXACT_COPY,
};

REFERENCE(slice, c) {
    const int64_t outer = c->dims[0], size = c->dims[1], inner = c->dims[2];
    const int64_t start = c->dims[3], step = c->dims[4], length = c->dims[5];
    emit_view(c, 0,
        (struct strided_view){
            .size = {1, outer, length, inner}, .stride = {0, size * inner, step * inner, 1}, .base = start * inner});
}

static const char *slice_derive(int64_t *dims) {
    const int64_t size = dims[1], start = dims[3], step = dims[4], length = dims[5];
    bool inside = start < size && length - 1 <= (size - 1 - start) / step;
    return inside ? NULL : "the slice reaches beyond the axis";
}

COST(slice_bytes, 8 * D(0) * D(5) * D(2))

OPERATOR(slice) = {
    NAMED(slice, "movement"),
    .summary = "every step-th element of an axis, from start on",
    .formula = "y[o, i, j] = x[o, start + step * i, j]",
    .source = "Python, slice; PyTorch, Tensor.narrow",
    .conventions = "x is [outer, size, inner]; the result is contiguous",
    .systems = "CF TF",
    .dims = {"outer", "size", "inner", "start", "step", "length"},
    .options = {OPTION("start", 0, 1, 5), OPTION("step", 1, 2, 3, 7), OPTION("length", 1, 2, 3, 8)},
    .derive = slice_derive,
    .zero_ok = {"start"},
    .operands = {{"x", ROLE_IN, .shape = {"outer", "size", "inner"}, MOVED},
        {"y", ROLE_OUT, .shape = {"outer", "length", "inner"}, MOVED}},
    .flops = flops_none,
    .bytes = slice_bytes, // the selected part, read and written
    .bound = EXACT_COPY,
};

REFERENCE(flip, c) {
    const int64_t outer = c->dims[0], size = c->dims[1], inner = c->dims[2];
    emit_view(c, 0,
        (struct strided_view){
            .size = {1, outer, size, inner}, .stride = {0, size * inner, -inner, 1}, .base = (size - 1) * inner});
}

OPERATOR(flip) = {
    NAMED(flip, "movement"),
    .summary = "an axis in the opposite order",
    .formula = "y[o, i, j] = x[o, size - 1 - i, j]",
    .source = "NumPy, numpy.flip",
    .conventions = "x is [outer, size, inner]",
    .systems = "CF TF",
    .dims = {"outer", "size", "inner"},
    .operands = {{"x", ROLE_IN, .shape = {"outer", "size", "inner"}, MOVED},
        {"y", ROLE_OUT, .shape = {"outer", "size", "inner"}, MOVED}},
    NOTHING_COMPUTED,
};

REFERENCE(tile, c) {
    const int64_t rows = c->dims[0], cols = c->dims[1];
    emit_view(c, 0, (struct strided_view){.size = {c->dims[2], rows, c->dims[3], cols}, .stride = {0, cols, 0, 1}});
}

static const char *tile_derive(int64_t *dims) {
    bool fits =
        !__builtin_mul_overflow(dims[0], dims[2], &dims[4]) && !__builtin_mul_overflow(dims[1], dims[3], &dims[5]);
    return fits ? NULL : "an operand's size overflows";
}

OPERATOR(tile) = {
    NAMED(tile, "movement"),
    .summary = "a matrix repeated downwards and across",
    .formula = "y[i, j] = x[i mod rows, j mod cols]",
    .source = "NumPy, numpy.tile",
    .conventions = "the whole matrix is repeated, not each element",
    .systems = "CF TF",
    .dims = {"rows", "cols", "down", "across"},
    .derived = {"y_rows", "y_cols"},
    .derive = tile_derive,
    .operands = {{"x", ROLE_IN, .shape = {"rows", "cols"}, MOVED},
        {"y", ROLE_OUT, .shape = {"y_rows", "y_cols"}, MOVED}},
    NOTHING_COMPUTED,
};
