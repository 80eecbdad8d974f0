// SPDX-License-Identifier: Apache-2.0
// Tests figures and occupancy against values computed by hand.
#include "../figures.h"
#include "../record.h"
#include "../../truth/stats/summary.h"
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

static const double ns[FIGURE_COUNT] = {[FIGURE_COMPUTE] = 1000,
    [FIGURE_UPLOAD] = 2000,
    [FIGURE_DOWNLOAD] = 1000,
    [FIGURE_HOST_WRITE] = 300,
    [FIGURE_HOST_READ] = 50,
    [FIGURE_END_TO_END] = 6000,
    [FIGURE_MAPPED_READ] = 70};

// Returns a record with those times, without the ones in `missing`.
static struct record record_without(unsigned missing) {
    struct record record = {.status = RECORD_PASS, .dtype = "f32", .bytes = 4000, .flops = 500, .build_ns = 2000};
    record.reference.ns = NAN;
    for (int f = 0; f < FIGURE_COUNT; f++) record.time[f] = summarize(&ns[f], ns[f] > 0 && !(missing >> f & 1) ? 1 : 0);
    return record;
}

static void figures_are_sums_and_quotients_of_times(void **state) {
    static const struct {
        int figure;
        double value;
    } rows[] = {{FIGURE_COMPUTE, 1000}, {FIGURE_LOW, 1000}, {FIGURE_MOVED, 3000}, {FIGURE_MOVED_BY_HOST, 350},
        {FIGURE_MOVED_MAPPED, 70}, {FIGURE_MOVED_SHARE, 0.75}, {FIGURE_RUNS_TO_HALF, 3}, {FIGURE_BYTES_PER_S, 4e9},
        {FIGURE_FLOPS_PER_S, 5e8}, {FIGURE_BUILD_SHARE, 0.25}, {FIGURE_END_TO_END, 6000}};
    const struct record record = record_without(0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_true(figure_value(NULL, &record, rows[i].figure) == rows[i].value);
    assert_true(isnan(figure_value(NULL, &record, FIGURE_SUBMIT)));
    assert_true(isnan(figure_value(NULL, &record, FIGURE_REFERENCE)));
}

static void a_missing_copy_is_nothing_and_a_missing_compute_is_no_figure(void **state) {
    const struct record down = record_without(1U << FIGURE_UPLOAD), idle = record_without(1U << FIGURE_COMPUTE),
                        still = record_without(1U << FIGURE_UPLOAD | 1U << FIGURE_DOWNLOAD);
    struct record probe = record_without(0);
    probe.dtype = "probe"; // its compute time has the copies in it
    assert_true(figure_value(NULL, &down, FIGURE_MOVED) == 1000);
    assert_true(figure_value(NULL, &down, FIGURE_MOVED_SHARE) == 0.5);
    assert_true(isnan(figure_value(NULL, &still, FIGURE_MOVED)));
    assert_true(isnan(figure_value(NULL, &still, FIGURE_MOVED_SHARE)));
    assert_true(isnan(figure_value(NULL, &idle, FIGURE_MOVED_SHARE)));
    assert_true(isnan(figure_value(NULL, &idle, FIGURE_BYTES_PER_S)));
    assert_true(figure_value(NULL, &probe, FIGURE_MOVED_SHARE) == 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(figures_are_sums_and_quotients_of_times),
        cmocka_unit_test(a_missing_copy_is_nothing_and_a_missing_compute_is_no_figure),
        cmocka_unit_test(registers_bound_what_a_multiprocessor_holds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
