// SPDX-License-Identifier: Apache-2.0
#include "element.h"

#include <math.h>

enum number_class classify(enum dtype dtype, double value) {
    const struct dtype_info *info = dtype_info(dtype);
    if (isnan(value)) return CLASS_NAN;
    if (isinf(value)) return CLASS_INFINITE;
    if (value == 0) return CLASS_ZERO;
    if (info->is_float && double_exponent(value) < info->least_exponent) return CLASS_SUBNORMAL;
    return CLASS_FINITE;
}
