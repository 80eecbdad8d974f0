// SPDX-License-Identifier: Apache-2.0
#include "../judge.h"
#include "../../../../reference/tests/unit.h"

#include <math.h>
#include <string.h>

static const struct guard_form any;

static void test_every_length_and_byte(void **state) {
    unsigned char bytes[67];
    for (uint64_t length = 0; length <= 66; length++) {
        bytes[length] = 0x5a;
        guard_fill(bytes, length, 3, 1, any);
        assert_int_equal(bytes[length], 0x5a);
        assert_int_equal(guard_check(bytes, length, 3, 1, any), -1);
        for (uint64_t i = 0; i < length; i++) {
            bytes[i] ^= 0x10;
            assert_int_equal(guard_check(bytes, length, 3, 1, any), i);
            bytes[i] ^= 0x10;
        }
    }
}

static void test_the_first_of_several(void **state) {
    unsigned char bytes[64];
    guard_fill(bytes, sizeof bytes, 0, 0, any);
    bytes[50] ^= 1;
    bytes[17] ^= 1;
    bytes[18] ^= 1;
    assert_int_equal(guard_check(bytes, sizeof bytes, 0, 0, any), 17);
}

// Each run, operand and position has another word: no two of the 4096 are equal, and none is zero or all ones.
static void test_words_differ(void **state) {
    enum { RUNS = 8, OPERANDS = 8, PLACES = 64, COUNT = RUNS * OPERANDS * PLACES };
    static uint32_t seen[COUNT];
    int count = 0;
    for (uint32_t run = 0; run < RUNS; run++)
        for (uint32_t operand = 0; operand < OPERANDS; operand++)
            for (uint64_t i = 0; i < PLACES; i++) seen[count++] = guard_word(run, operand, i);
    for (int i = 0; i < COUNT; i++) {
        assert_true(seen[i] != 0 && seen[i] != UINT32_MAX);
        for (int k = 0; k < i; k++) assert_true(seen[i] != seen[k]);
    }
}

static void test_words_in_a_row(void **state) {
    for (uint64_t bytes = 0; bytes < 20; bytes++) {
        unsigned char got[21], expected[24];
        memset(got, 0xaa, sizeof got);
        guard_words(got, bytes, 3, 1, 1000);
        for (uint64_t i = 0; i < 6; i++) {
            const uint32_t word = guard_word(3, 1, 1000 + i);
            memcpy(expected + 4 * i, &word, 4);
        }
        assert_memory_equal(got, expected, bytes);
        assert_int_equal(got[bytes], 0xaa);
    }
}

static void test_another_run_is_noticed(void **state) {
    unsigned char bytes[64];
    guard_fill(bytes, sizeof bytes, 7, 2, any);
    assert_int_equal(guard_check(bytes, sizeof bytes, 7, 2, any), -1);
    assert_true(guard_check(bytes, sizeof bytes, 8, 2, any) >= 0);
    assert_true(guard_check(bytes, sizeof bytes, 7, 3, any) >= 0);
}

// Words after an input are valid as inputs: indices are in range, and floats are neither NaN nor too small to show in
// a sum.
static void test_words_of_inputs_are_like_inputs(void **state) {
    static const enum dtype floats[] = {DTYPE_F32, DTYPE_F16, DTYPE_BF16};
    unsigned char bytes[64];
    uint32_t indices[64], changed = 0;
    for (int type = 0; type < 3; type++) {
        guard_fill(bytes, sizeof bytes, 0, 1, guard_form_of(floats[type], 7));
        assert_int_equal(guard_check(bytes, sizeof bytes, 0, 1, guard_form_of(floats[type], 7)), -1);
        for (int i = 0; i < 16; i++) {
            double size = fabs(dtype_load(floats[type], bytes, i));
            assert_true(size >= 1 && size < 2);
        }
    }
    guard_fill(indices, sizeof indices, 0, 1, guard_form_of(DTYPE_I32, 7));
    for (int i = 0; i < 64; i++) {
        assert_true(indices[i] < 7);
        changed += i > 0 && indices[i] != indices[i - 1];
    }
    assert_true(changed > 30);
    guard_fill(indices, sizeof indices, 0, 1, guard_form_of(DTYPE_I32, 1));
    assert_true(indices[0] == guard_word(0, 1, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_length_and_byte),
        cmocka_unit_test(test_the_first_of_several),
        cmocka_unit_test(test_words_differ),
        cmocka_unit_test(test_words_in_a_row),
        cmocka_unit_test(test_another_run_is_noticed),
        cmocka_unit_test(test_words_of_inputs_are_like_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
