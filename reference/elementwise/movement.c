// SPDX-License-Identifier: Apache-2.0
// Moving and converting elements. Nothing is computed, so all but conversions are exact.
#include "../bounds.h"
#include "../reference.h"

REFERENCE(copy, c) {
    for (int64_t i = c->first; i < c->first + c->count; i++) emit(c, i, c->in[0][i], 0, 0);
}

OPERATOR(copy) = {
    NAMED(copy, "movement"),
    .summary = "a copy of a tensor",
    .formula = "y = x",
    .source = "PyTorch, Tensor.copy_",
    .systems = "TS CF",
    .dims = {"n"},
    .operands = {{"x", ROLE_IN, .shape = {"n"}, .specials = true, MOVED}, {"y", ROLE_OUT, .shape = {"n"}, MOVED}},
    NOTHING_COMPUTED,
};

// Fills with a value. It is a push constant in float, stored in the dtype of the case.
REFERENCE(fill, c) {
    const real value = (real)dtype_round(c->dtype, c->params[0]);
    for (int64_t i = c->first; i < c->first + c->count; i++) emit(c, i, value, 0, 0);
}

OPERATOR(fill) = {
    NAMED(fill, "movement"),
    .summary = "one value everywhere",
    .formula = "y = value",
    .source = "PyTorch, Tensor.fill_",
    .systems = "TS CF TF LT",
    .dims = {"n"},
    .operands = {{"y", ROLE_OUT, .shape = {"n"}, MOVED}},
    .params = {{"value", .standard = 1.5, TELLING(0, -2, 57344, 0x1.cp-14)}},
    NOTHING_COMPUTED,
};

// Converts to the dtype of the case. Without round-to-nearest-even declared, a device may convert to the neighbour on
// either side. Any positive bound in ULP of f32 has this meaning, because the narrower store adds its own ULP.
REFERENCE(cast, c) {
    const double bound = c->rte ? 0 : 0.5;
    for (int64_t i = c->first; i < c->first + c->count; i++)
        emit(c, i, (real)dtype_round(c->dtype, (double)c->in[0][i]), 0, bound);
}

OPERATOR(cast) = {
    NAMED(cast, "movement"),
    .summary = "conversion from f32 to the dtype of the case",
    .formula = "y = nearest even number to x in the dtype of y",
    .source = "IEEE 754-2019, 5.4.2 and 4.3.1",
    .conventions = "rounds to nearest even; overflow gives infinity; NaN stays NaN; beyond an "
                   "integer type's range the result is its end",
    .systems = "TS CF TF LT",
    .dims = {"n"},
    // From below the least subnormal f16 to above the largest f16.
    .operands = {{"x", ROLE_IN, DTYPE_F32, .shape = {"n"}, .fill = FILL_TIES, .low = 1e-8, .high = 1e5, .signs = true,
                     .specials = true},
        {"y", ROLE_OUT, .shape = {"n"}, .preserves = PRESERVES_SIGN}},
    .flops = flops_none,
    .bound = "exact with round-to-nearest-even declared, else either neighbour",
};

// Converts to f32. Numbers of the other float types are numbers of f32; integers of more than 24 bits are rounded.
REFERENCE(cast_f32, c) {
    const bool whole = dtype_info(c->dtype)->whole;
    const double bound = whole ? bound_basic(c->rte) : 0;
    for (int64_t i = c->first; i < c->first + c->count; i++)
        emit(c, i, c->in[0] ? c->in[0][i] : (real)c->ints[0][i], 0, bound);
}

OPERATOR(cast_f32) = {
    NAMED(cast_f32, "movement"),
    .summary = "conversion from the dtype of the case to f32",
    .formula = "y = nearest even f32 to x",
    .source = "IEEE 754-2019, 5.4.1 and 5.4.2",
    .systems = "TS CF TF LT",
    .dims = {"n"},
    // From above the numbers flushed in f16 to above its largest, and all of i32.
    .operands = {{"x", ROLE_IN, .shape = {"n"}, .fill = FILL_SPREAD, .low = 1e-3, .high = 0x1p31, .signs = true,
                     .specials = true},
        {"y", ROLE_OUT, DTYPE_F32, .shape = {"n"}, .preserves = PRESERVES_SIGN}},
    .flops = flops_none,
    .bound = "exact; from i32 one correctly rounded conversion",
};

REFERENCE(transpose, c) {
    const int64_t rows = c->dims[0], cols = c->dims[1];
    int64_t row = c->first % rows, col = c->first / rows; // of x
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        emit(c, i, c->in[0][row * cols + col], 0, 0);
        if (++row == rows) {
            row = 0;
            col++;
        }
    }
}

OPERATOR(transpose) = {
    NAMED(transpose, "movement"),
    .summary = "a matrix with rows and columns exchanged",
    .formula = "y[j, i] = x[i, j]",
    .source = "NumPy, numpy.transpose, written out",
    .systems = "TS TF LT",
    .dims = {"rows", "cols"},
    .operands = {{"x", ROLE_IN, .shape = {"rows", "cols"}, MOVED}, {"y", ROLE_OUT, .shape = {"cols", "rows"}, MOVED}},
    NOTHING_COMPUTED,
};
