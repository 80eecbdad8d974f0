// SPDX-License-Identifier: Apache-2.0
// Lines of an operand: consecutive ones have each pattern once, whatever the key.
#include "../lines.h"

#include "../../../../reference/tests/unit.h"

enum { MOST_PATTERNS = 32 };

static void each_turn_has_each_pattern_once(void **state) {
    static const enum lines kinds[] = {LINES_FINITE, LINES_MASKED, LINES_INFINITE, LINES_ANY, LINES_ORDERED};
    const struct operand operand = {.fill = FILL_UNIFORM};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (uint64_t key = 0; key < 200; key++) {
            const int count = lines_declared(kinds[k]);
            const struct line_set lines = {
                .operand = &operand, .length = 100, .count = 5 * count, .key = key * 77777, .kind = kinds[k]};
            assert_true(count > 1 && count <= MOST_PATTERNS);
            for (int turn = 0; turn < 5; turn++) {
                uint32_t seen = 0;
                for (int i = 0; i < count; i++) {
                    const int pattern = lines_pattern(&lines, (int64_t)turn * count + i);
                    assert_true(pattern >= 0 && pattern < count);
                    seen |= 1u << pattern;
                }
                assert_int_equal(__builtin_popcount(seen), count);
            }
        }
}

// The step between neighbours depends on the key, so no pattern always follows another.
static void turns_have_other_orders(void **state) {
    const struct operand operand = {.fill = FILL_UNIFORM};
    const int count = lines_declared(LINES_FINITE);
    uint32_t steps = 0, first = 0;
    for (uint64_t key = 0; key < 500; key++) {
        const struct line_set lines = {
            .operand = &operand, .length = 100, .count = count, .key = key * 77777, .kind = LINES_FINITE};
        const int a = lines_pattern(&lines, 0), b = lines_pattern(&lines, 1);
        first |= 1u << a;
        steps |= 1u << (b - a + count) % count;
    }
    assert_int_equal(__builtin_popcount(first), count);
    assert_true(__builtin_popcount(steps) > 1 && !(steps & 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_turn_has_each_pattern_once),
        cmocka_unit_test(turns_have_other_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
