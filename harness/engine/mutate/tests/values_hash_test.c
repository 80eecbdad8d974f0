// SPDX-License-Identifier: Apache-2.0
#include "../values_hash.h"
#include "../../../../reference/tests/unit.h"

#include <stdio.h>

#define HASH(dtype, ...) values_hash_of(dtype, (struct values_kept){true, true}, &(__VA_ARGS__), sizeof(__VA_ARGS__), 1)

static void a_nan_is_like_any_other_and_like_nothing_else(void **state) {
    assert_true(HASH(DTYPE_F32, (uint32_t){0x7fc00000}) == HASH(DTYPE_F32, (uint32_t){0xff800001}));
    assert_true(HASH(DTYPE_F16, (uint16_t){0x7e00}) == HASH(DTYPE_F16, (uint16_t){0xfc01}));
    assert_true(HASH(DTYPE_BF16, (uint16_t){0x7fc0}) == HASH(DTYPE_BF16, (uint16_t){0xff81}));
    assert_true(HASH(DTYPE_F32, (uint32_t){0x7fc00000}) != HASH(DTYPE_F32, (uint32_t){0x7f800000}));
    assert_true(HASH(DTYPE_F16, (uint16_t){0x7e00}) != HASH(DTYPE_F16, (uint16_t){0x7c00}));
    assert_true(HASH(DTYPE_I32, (uint32_t){0x7fc00000}) != HASH(DTYPE_I32, (uint32_t){0xff800001}));
}

static void numbers_are_told_apart_by_each_bit_and_by_their_place(void **state) {
    assert_true(HASH(DTYPE_F32, (uint32_t){0}) != HASH(DTYPE_F32, (uint32_t){0x80000000}));
    assert_true(HASH(DTYPE_F32, (uint32_t){0x3f800000}) != HASH(DTYPE_F32, (uint32_t){0x3f800001}));
    assert_true(HASH(DTYPE_F32, (uint32_t[2]){1, 2}) != HASH(DTYPE_F32, (uint32_t[2]){2, 1}));
}

static void what_is_not_kept_is_no_difference(void **state) {
    const struct values_kept nothing = {false, false}, signs = {true, false};
    const uint32_t words[] = {0, 0x80000000, 0x007fffff, 0x00800000};
    uint64_t hashes[4], of_signs[4];
    for (int i = 0; i < 4; i++) {
        hashes[i] = values_hash_of(DTYPE_F32, nothing, &words[i], sizeof *words, 1);
        of_signs[i] = values_hash_of(DTYPE_F32, signs, &words[i], sizeof *words, 1);
    }
    assert_true(hashes[0] == hashes[1] && hashes[0] == hashes[2] && hashes[0] != hashes[3]);
    assert_true(of_signs[0] != of_signs[1] && of_signs[0] == of_signs[2] && of_signs[0] != of_signs[3]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_nan_is_like_any_other_and_like_nothing_else),
        cmocka_unit_test(what_is_not_kept_is_no_difference),
        cmocka_unit_test(numbers_are_told_apart_by_each_bit_and_by_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
