// SPDX-License-Identifier: Apache-2.0
// Comparisons, selection and logic: truth values are bytes, 0 or 1.
#include "maps.h"

#define FAMILY "elementwise"
#define EXACT "exact: a selection"

// Whole numbers of a short range, so equal pairs are common.
#define WHOLE(NAME)                                                                                                    \
    { #NAME, ROLE_IN, .shape = {"n" }, .fill = FILL_WHOLE, .low = -4, .high = 4, .specials = true }
#define TRUTH_VALUES(NAME, ROLE)                                                                                       \
    { #NAME, ROLE, DTYPE_U8, .shape = {"n" }, .fill = FILL_TRUTH }

#define COMPARE(NAME, OPERATOR, SUMMARY, UNORDERED)                                                                    \
    BINARY(NAME, 1, (real)(a OPERATOR b), 0, .summary = SUMMARY, .formula = "y = a " #OPERATOR " b ? 1 : 0",           \
        .source = "IEEE 754-2019, 5.11", .conventions = "bytes, 0 or 1; with NaN " UNORDERED ", and -0 equals 0",      \
        .systems = "CF TF", .operands = {WHOLE(a), WHOLE(b), TRUTH_VALUES(y, ROLE_OUT)}, .bound = EXACT)

COMPARE(eq, ==, "whether two elements are equal", "0")
COMPARE(ne, !=, "whether two elements differ", "1")
COMPARE(lt, <, "whether the first element is less", "0")
COMPARE(le, <=, "whether the first element is no greater", "0")
COMPARE(gt, >, "whether the first element is greater", "0")
COMPARE(ge, >=, "whether the first element is no less", "0")

#define BYTES_ARE_TRUTH "bytes: not 0 is true; results are 0 or 1"

#define LOGIC(NAME, VALUE, SUMMARY, FORMULA)                                                                           \
    BINARY(NAME, 1, (real)(VALUE), 0, .summary = SUMMARY, .formula = FORMULA, .source = "NumPy, numpy." #NAME,         \
        .conventions = BYTES_ARE_TRUTH, .systems = "CF TF",                                                            \
        .operands = {TRUTH_VALUES(a, ROLE_IN), TRUTH_VALUES(b, ROLE_IN), TRUTH_VALUES(y, ROLE_OUT)}, .bound = EXACT)

LOGIC(logical_and, a != 0 && b != 0, "whether both are true", "y = a && b ? 1 : 0")
LOGIC(logical_or, a != 0 || b != 0, "whether one is true", "y = a || b ? 1 : 0")
LOGIC(logical_xor, (a != 0) != (b != 0), "whether just one is true", "y = !a != !b ? 1 : 0")

UNARY(logical_not, 1, (real)(x == 0), 0, .summary = "whether it is false", .formula = "y = x ? 0 : 1",
    .source = "NumPy, numpy.logical_not", .conventions = BYTES_ARE_TRUTH, .systems = "CF TF",
    .operands = {TRUTH_VALUES(x, ROLE_IN), TRUTH_VALUES(y, ROLE_OUT)}, .bound = EXACT)

#define INPUTS_WHERE t = c->in[0][i], a = c->in[1][i], b = c->in[2][i]

MAP(where, 1, INPUTS_WHERE, t != 0 ? a : b, 0, 0, .summary = "one of two elements, as a byte says",
    .formula = "y = cond ? a : b", .source = "NumPy, numpy.where", .conventions = "cond has bytes: not 0 is true",
    .systems = "CF TF",
    .operands = {TRUTH_VALUES(cond, ROLE_IN), SPECIAL(a, -1, 1), SPECIAL(b, -1, 1), RESULT_PRESERVES(PRESERVES_BITS)},
    .bound = EXACT)
