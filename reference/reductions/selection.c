// SPDX-License-Identifier: Apache-2.0
// Reductions that select instead of computing, exact in any order: extremes, their positions, and tests for any or
// all nonzero elements.
#include "../rows.h"

static inline void max_row(const struct call *c, int64_t i, const real *x, int64_t n) {
    real most = -INFINITY;
    for (int64_t j = 0; j < n; j++) most = x[j] > most ? x[j] : most;
    emit(c, i, most, 0, 0);
}
OVER_EACH(max)

static inline void min_row(const struct call *c, int64_t i, const real *x, int64_t n) {
    real least = INFINITY;
    for (int64_t j = 0; j < n; j++) least = x[j] < least ? x[j] : least;
    emit(c, i, least, 0, 0);
}
OVER_EACH(min)

// Writes the first position whose element is the largest (sign 1) or the smallest (sign -1). A NaN comes before any
// number.
static inline void place_row(const struct call *c, int64_t i, const real *x, int64_t n, real sign) {
    int64_t place = 0;
    for (int64_t j = 1; j < n && !isnan(x[place]); j++)
        if (sign * x[j] > sign * x[place] || isnan(x[j])) place = j;
    emit(c, i, (real)place, 0, 0);
}

static inline void argmax_row(const struct call *c, int64_t i, const real *x, int64_t n) {
    place_row(c, i, x, n, 1);
}
OVER_EACH(argmax)

static inline void argmin_row(const struct call *c, int64_t i, const real *x, int64_t n) {
    place_row(c, i, x, n, -1);
}
OVER_EACH(argmin)

static inline int64_t count_nonzero(const int32_t *x, int64_t n) {
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) count += x[i] != 0;
    return count;
}

REFERENCE(any, c) {
    emit(c, 0, count_nonzero(c->ints[0], c->dims[0]) > 0, 0, 0);
}

REFERENCE(all, c) {
    emit(c, 0, count_nonzero(c->ints[0], c->dims[0]) == c->dims[0], 0, 0);
}

#define EXACT .bound = "exact: a selection"
#define EXTREME                                                                                                        \
    .conventions = "starts at an infinity below or above any element; a NaN never wins (PyTorch propagates it)",       \
    .systems = "TS CF TF LT", EXACT
#define PLACE                                                                                                          \
    .conventions = "of equal elements the first; the first NaN, if there is one, as PyTorch and NumPy",                \
    .systems = "TS CF TF", EXACT
#define FLAG                                                                                                           \
    .conventions = "an element counts when it is not 0; the result is 0 or 1", .systems = "TF",                        \
    .flops = flops_one_each, EXACT
// Values that occur twice, so a wrong choice between equals shows.
#define TIES(dim) .fill = FILL_STEPS, .low = -1, .high = 1, .below = dim
// Extremes of all elements are on the other side of zero, so a wrong initial value shows. Rows have both signs.

OPERATOR(max) = {
    NAMED(max, "reduction"),
    .summary = "largest of all elements",
    .formula = "y = max over i of x[i]",
    .source = "IEEE 754-2019, 9.6 (maximumNumber)",
    EXTREME,
    ALL(DTYPE_CASE, .low = -3, .high = -1, .lines = LINES_ORDERED),
    .flops = all_flops,
};

OPERATOR(max_rows) = {
    NAMED(max_rows, "reduction"),
    .summary = "largest element of each row of a matrix",
    .formula = "y[i] = max over j of x[i, j]",
    .source = "IEEE 754-2019, 9.6 (maximumNumber)",
    EXTREME,
    ROWS(DTYPE_CASE, .low = -1, .high = 1, .lines = LINES_ORDERED),
    .flops = rows_flops,
};

OPERATOR(min) = {
    NAMED(min, "reduction"),
    .summary = "smallest of all elements",
    .formula = "y = min over i of x[i]",
    .source = "IEEE 754-2019, 9.6 (minimumNumber)",
    EXTREME,
    ALL(DTYPE_CASE, .low = 1, .high = 3, .lines = LINES_ORDERED),
    .flops = all_flops,
};

OPERATOR(min_rows) = {
    NAMED(min_rows, "reduction"),
    .summary = "smallest element of each row of a matrix",
    .formula = "y[i] = min over j of x[i, j]",
    .source = "IEEE 754-2019, 9.6 (minimumNumber)",
    EXTREME,
    ROWS(DTYPE_CASE, .low = -1, .high = 1, .lines = LINES_ORDERED),
    .flops = rows_flops,
};

OPERATOR(argmax) = {
    NAMED(argmax, "reduction"),
    .summary = "place of the largest of all elements",
    .formula = "y = the least i with x[i] = max(x)",
    .source = "NumPy, numpy.argmax",
    PLACE,
    ALL(DTYPE_I32, TIES("n"), .lines = LINES_ORDERED),
    .flops = all_flops,
};

OPERATOR(argmax_rows) = {
    NAMED(argmax_rows, "reduction"),
    .summary = "place of the largest element of each row of a matrix",
    .formula = "y[i] = the least j with x[i, j] = max(x[i, :])",
    .source = "NumPy, numpy.argmax(axis=-1)",
    PLACE,
    ROWS(DTYPE_I32, TIES("cols"), .lines = LINES_ORDERED),
    .flops = rows_flops,
};

OPERATOR(argmin) = {
    NAMED(argmin, "reduction"),
    .summary = "place of the smallest of all elements",
    .formula = "y = the least i with x[i] = min(x)",
    .source = "NumPy, numpy.argmin",
    PLACE,
    ALL(DTYPE_I32, TIES("n"), .lines = LINES_ORDERED),
    .flops = all_flops,
};

OPERATOR(argmin_rows) = {
    NAMED(argmin_rows, "reduction"),
    .summary = "place of the smallest element of each row of a matrix",
    .formula = "y[i] = the least j with x[i, j] = min(x[i, :])",
    .source = "NumPy, numpy.argmin(axis=-1)",
    PLACE,
    ROWS(DTYPE_I32, TIES("cols"), .lines = LINES_ORDERED),
    .flops = rows_flops,
};

OPERATOR(any) = {
    NAMED(any, "reduction"),
    .summary = "whether any element is not 0",
    .formula = "y = x[0] or x[1] or ... (0 or 1)",
    .source = "PyTorch, torch.any",
    FLAG,
    ALL(DTYPE_I32, .dtype = DTYPE_I32, .fill = FILL_RARE, .low = 0, .high = 1),
};

OPERATOR(all) = {
    NAMED(all, "reduction"),
    .summary = "whether no element is 0",
    .formula = "y = x[0] and x[1] and ... (0 or 1)",
    .source = "PyTorch, torch.all",
    FLAG,
    ALL(DTYPE_I32, .dtype = DTYPE_I32, .fill = FILL_RARE, .low = 1, .high = 0),
};

OPERATOR(max_axis) = {
    NAMED(max_axis, "reduction"),
    .summary = "largest element of each line along the middle axis",
    .formula = "y[o, i] = max over j of x[o, j, i]",
    .source = "IEEE 754-2019, 9.6 (maximumNumber)",
    EXTREME,
    AXIS(DTYPE_CASE, .low = -1, .high = 1, .lines = LINES_ORDERED),
    .flops = axis_flops,
};

OPERATOR(min_axis) = {
    NAMED(min_axis, "reduction"),
    .summary = "smallest element of each line along the middle axis",
    .formula = "y[o, i] = min over j of x[o, j, i]",
    .source = "IEEE 754-2019, 9.6 (minimumNumber)",
    EXTREME,
    AXIS(DTYPE_CASE, .low = -1, .high = 1, .lines = LINES_ORDERED),
    .flops = axis_flops,
};

OPERATOR(argmax_axis) = {
    NAMED(argmax_axis, "reduction"),
    .summary = "place of the largest element of each line along the middle axis",
    .formula = "y[o, i] = the first j with largest x[o, j, i]",
    .source = "PyTorch, torch.argmax(dim=1)",
    PLACE,
    AXIS(DTYPE_I32, TIES("n"), .lines = LINES_ORDERED),
    .flops = axis_flops,
};

OPERATOR(argmin_axis) = {
    NAMED(argmin_axis, "reduction"),
    .summary = "place of the smallest element of each line along the middle axis",
    .formula = "y[o, i] = the first j with smallest x[o, j, i]",
    .source = "PyTorch, torch.argmin(dim=1)",
    PLACE,
    AXIS(DTYPE_I32, TIES("n"), .lines = LINES_ORDERED),
    .flops = axis_flops,
};
