// SPDX-License-Identifier: Apache-2.0
// Known answers of philox4x32-10 from the Random123 distribution (kat_vectors).
#include "../philox.h"
#include "unit.h"

static void test_known_answers(void **state) {
    static const struct {
        uint64_t key, lo, hi;
        uint32_t expected[4];
    } table[] = {
        {0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        // Digits of pi: counter 243f6a88 85a308d3 13198a2e 03707344, key a4093822 299f31d0.
        {0x299f31d0a4093822, 0x85a308d3243f6a88, 0x0370734413198a2e, {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct philox p = philox(table[i].key, table[i].lo, table[i].hi);
        for (int k = 0; k < 4; k++) assert_int_equal(p.v[k], table[i].expected[k]);
    }
}

static void test_uniform_is_half_open(void **state) {
    assert_true(philox_uniform(0) == 0);
    assert_true(philox_uniform(UINT32_MAX) == 1 - 0x1p-24);
    assert_true((double)(float)philox_uniform(0x12345678) == philox_uniform(0x12345678));
}

// Counters cross 2^32, where their upper half changes.
static void test_blocks_are_those_of_single_calls(void **state) {
    const uint64_t firsts[] = {0, 12345, UINT32_MAX - 5, UINT64_MAX - 3};
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
        struct philox blocks[PHILOX_BLOCKS];
        philox_blocks(0x299f31d0a4093822, firsts[i], 7, blocks);
        for (uint64_t k = 0; k < PHILOX_BLOCKS; k++) {
            struct philox single = philox(0x299f31d0a4093822, firsts[i] + k, 7);
            assert_memory_equal(&blocks[k], &single, sizeof single);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_uniform_is_half_open),
        cmocka_unit_test(test_blocks_are_those_of_single_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
