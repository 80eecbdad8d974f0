// SPDX-License-Identifier: Apache-2.0
// Tests occupancy by registers against values computed by hand.
#include "../occupancy.h"
#include "../../../reference/tests/unit.h"

static void registers_bound_what_a_multiprocessor_holds(void **state) {
    static const struct {
        double registers;
        uint64_t invocations;
        double share;
    } rows[] = {
        {32, 256, 1},       // 64 warps of 1024 registers: all
        {33, 256, 0.75},    // 40 per lane: 51 warps, six workgroups of 8
        {168, 128, 0.1875}, // 168 per lane: 12 warps, three workgroups of 4
        {255, 1024, 0},     // 8 warps fit, 32 are needed: none
        {16, 32, 0.5},      // 32 workgroups of one warp
        {16, 16, 0.5},      // half a warp needs a whole one
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_true(occupancy_most(0x10de, rows[i].registers, rows[i].invocations) == rows[i].share);
    assert_true(isnan(occupancy_most(0x1002, 32, 64)));
    assert_true(isnan(occupancy_most(0x10de, NAN, 64)));
    assert_true(isnan(occupancy_most(0x10de, 32, 4096)));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(registers_bound_what_a_multiprocessor_holds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
