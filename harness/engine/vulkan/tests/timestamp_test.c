// SPDX-License-Identifier: Apache-2.0
// Ticks to nanoseconds: known differences, and the wrap at each number of valid bits.
#include "../gpu.h"
#include "../../../../reference/tests/unit.h"

static void plain_differences_are_scaled(void **state) {
    assert_true(timestamp_difference_ns(100, 350, 64, 1.0) == 250.0);
    assert_true(timestamp_difference_ns(100, 350, 36, 83.25) == 20812.5);
    assert_true(timestamp_difference_ns(7, 7, 64, 1.0) == 0.0);
    // a period is not a whole number of nanoseconds: 52.083 ns at 19.2 MHz
    assert_true(timestamp_difference_ns(0, 3, 64, 52.083332061767578) == 3 * 52.083332061767578);
}

static void a_counter_wraps_at_its_valid_bits(void **state) {
    for (uint32_t bits = 36; bits <= 64; bits++) {
        uint64_t last = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
        assert_true(timestamp_difference_ns(last - 9, 20, bits, 2.0) == 60.0);
        assert_true(timestamp_difference_ns(0, last, bits, 1.0) == (double)last);
    }
}

static void bits_above_the_valid_ones_do_not_count(void **state) {
    uint64_t garbage = (uint64_t)0xabc << 48;
    assert_true(timestamp_difference_ns(10 | garbage, 15, 48, 1.0) == 5.0);
    assert_true(timestamp_difference_ns(10, 15 | garbage, 48, 1.0) == 5.0);
}

// The difference is taken in integers: doubles would lose it for ticks above 2^53.
static void large_ticks_lose_nothing(void **state) {
    uint64_t late = UINT64_MAX - 1000;
    assert_true(timestamp_difference_ns(late, late + 1, 64, 1.0) == 1.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_differences_are_scaled),
        cmocka_unit_test(a_counter_wraps_at_its_valid_bits),
        cmocka_unit_test(bits_above_the_valid_ones_do_not_count),
        cmocka_unit_test(large_ticks_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
