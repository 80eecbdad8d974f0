// SPDX-License-Identifier: Apache-2.0
// Asserts that an integer is in [low, high]. cmocka's own assertion has another name from version 2 on.
#ifndef VKASSAY_BASE_WITHIN_H
#define VKASSAY_BASE_WITHIN_H

#include <inttypes.h>

#define assert_within(value, low, high)                                                                                \
    do {                                                                                                               \
        const intmax_t within_value = (intmax_t)(value), within_low = (intmax_t)(low), within_high = (intmax_t)(high); \
        if (within_value < within_low || within_value > within_high)                                                   \
            fail_msg("%s is %jd: expected %jd to %jd", #value, within_value, within_low, within_high);                 \
    } while (0)

#endif
