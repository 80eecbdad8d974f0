// SPDX-License-Identifier: Apache-2.0
#include "../values_hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

#define HASH(dtype, ...) values_hash_of(dtype, &(__VA_ARGS__), sizeof(__VA_ARGS__), 1)

static void a_nan_is_like_any_other_and_like_nothing_else(void **state) {
    (void)state;
    assert_true(HASH(DTYPE_F32, (uint32_t){0x7fc00000}) == HASH(DTYPE_F32, (uint32_t){0xff800001}));
    assert_true(HASH(DTYPE_F16, (uint16_t){0x7e00}) == HASH(DTYPE_F16, (uint16_t){0xfc01}));
    assert_true(HASH(DTYPE_BF16, (uint16_t){0x7fc0}) == HASH(DTYPE_BF16, (uint16_t){0xff81}));
    assert_true(HASH(DTYPE_F32, (uint32_t){0x7fc00000}) != HASH(DTYPE_F32, (uint32_t){0x7f800000}));
    assert_true(HASH(DTYPE_F16, (uint16_t){0x7e00}) != HASH(DTYPE_F16, (uint16_t){0x7c00}));
    assert_true(HASH(DTYPE_I32, (uint32_t){0x7fc00000}) != HASH(DTYPE_I32, (uint32_t){0xff800001}));
}

static void numbers_are_told_apart_by_each_bit_and_by_their_place(void **state) {
    (void)state;
    assert_true(HASH(DTYPE_F32, (uint32_t){0}) != HASH(DTYPE_F32, (uint32_t){0x80000000}));
    assert_true(HASH(DTYPE_F32, (uint32_t){0x3f800000}) != HASH(DTYPE_F32, (uint32_t){0x3f800001}));
    assert_true(HASH(DTYPE_F32, (uint32_t[2]){1, 2}) != HASH(DTYPE_F32, (uint32_t[2]){2, 1}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_nan_is_like_any_other_and_like_nothing_else),
        cmocka_unit_test(numbers_are_told_apart_by_each_bit_and_by_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
