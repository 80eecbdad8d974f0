// SPDX-License-Identifier: Apache-2.0
#include "special_values.h"

#include <math.h>

// Units of special values: their multiples are zeros, subnormals, normals at the edges, ordinary numbers and
// extremes.
enum special_unit {
    UNIT_ONE,
    UNIT_LEAST_NORMAL,
    UNIT_LARGEST,
    UNIT_ULP_ABOVE_ONE,
    UNIT_LARGEST_SUBNORMAL,
    UNIT_LEAST_SUBNORMAL
};
// FULL_NAN has every bit of its significand set, so adding to its bits overflows. The last number rounded to f16's
// largest is 65519; the first rounded to its infinity is 65520.
#define FULL_NAN __builtin_nan("0xfffffffffffff")
// Three operands cross only the first eight, because twenty-two would take ten thousand elements.
static const struct {
    double factor;
    enum special_unit unit;
} special_values[] = {
    {0, UNIT_ONE},
    {-0.0, UNIT_ONE},
    {INFINITY, UNIT_ONE},
    {-INFINITY, UNIT_ONE},
    {NAN, UNIT_ONE},
    {1, UNIT_LARGEST},
    {-1, UNIT_LEAST_NORMAL},
    {1, UNIT_ONE},
    {FULL_NAN, UNIT_ONE},
    {-1, UNIT_LARGEST},
    {1, UNIT_LEAST_NORMAL},
    {1, UNIT_LARGEST_SUBNORMAL},
    {-1, UNIT_LEAST_SUBNORMAL},
    {-1, UNIT_ONE},
    {1, UNIT_ULP_ABOVE_ONE},
    {0.5, UNIT_ONE},
    {65519, UNIT_ONE},
    {65520, UNIT_ONE},
    {100, UNIT_ONE},
    {-100, UNIT_ONE},
    {88.75, UNIT_ONE},
    {-1e-4, UNIT_ONE},
};
enum { SPECIALS = sizeof special_values / sizeof special_values[0], SPECIALS_OF_THREE = 8 };

int64_t special_count(int specials) {
    return specials < 3 ? SPECIALS : SPECIALS_OF_THREE;
}

int64_t special_elements(int specials, int64_t elements) {
    if (specials <= 0 || specials > 3) return 0;
    int64_t crossed = 1;
    for (int i = 0; i < specials; i++) crossed *= special_count(specials);
    return elements >= 2 * crossed ? crossed : 0;
}

int64_t unusual_elements(int specials, int64_t elements) {
    return specials > 0 && elements <= MOST_UNUSUAL ? elements : special_elements(specials, elements);
}

double special_value(enum dtype dtype, int64_t which) {
    const struct dtype_info *info = dtype_info(dtype);
    double factor = special_values[which].factor;
    switch (special_values[which].unit) {
    case UNIT_LEAST_NORMAL:
        return factor * ldexp(1, info->least_exponent);
    case UNIT_LARGEST:
        return factor * info->largest;
    case UNIT_LARGEST_SUBNORMAL:
        return factor * (ldexp(1, info->least_exponent) - ldexp(1, info->least_exponent - info->significand + 1));
    case UNIT_LEAST_SUBNORMAL:
        return factor * ldexp(1, info->least_exponent - info->significand + 1);
    case UNIT_ULP_ABOVE_ONE:
        return factor * (1 + dtype_ulp(dtype, 1));
    case UNIT_ONE:
        break;
    }
    return factor;
}
