// SPDX-License-Identifier: Apache-2.0
// Pairs on a made-up busy host: what `ab` says of equal kernels and of a slower one.
#include "../pairs.h"

#include "../../../../reference/tests/unit.h"
#include "../../../base/tests/within.h"
#include "../../../truth/stats/ratio.h"
#include "fake_timing.h"

static const double effect = 0.03;

// Hosts, from twenty busy loops beside lavapipe on two cores, where most runs are interrupted by some milliseconds, to
// a desk.
static const struct host {
    struct fake_load load;
    size_t least_same, least_slower; // of POINTS equal kernels; of SLOWER that take 1.3 times as long
} hosts[] = {
    {{.noise = 0.3, .keep = 0.9, .slices = 0.5, .slice_ns = 3e6, .place = 0.02}, 0, 0},
    {{.noise = 0.1, .keep = 0.9, .slices = 0.2, .slice_ns = 1e6, .place = 0.03}, 0, 50},
    {{.noise = 0.2, .keep = 0.995, .slices = 0.02, .slice_ns = 3e6, .place = 0.02}, 80, 58}, // slow changes
    {{.noise = 0.03, .keep = 0.9, .slices = 0.05, .slice_ns = 1e6, .place = 0.01}, 240, 60},
};
enum { HOSTS = sizeof hosts / sizeof *hosts, POINTS = 300, SLOWER = 60 };

struct counted {
    size_t verdicts[VERDICT_COUNT];
};

static void measure(uint64_t seed, const struct fake_load *load, double slower, struct pair_times *times) {
    struct fake f;
    struct fake_kernel base = {.ns = 30e3, .cold_ns = 20e3}, head = {.ns = 30e3 * slower, .cold_ns = 20e3};
    struct error err = {0};
    fake_start(&f);
    f.load = *load;
    f.load.seed = seed;
    f.stamp_ns = 60e3;
    struct pair_plan plan = {.timing = fake_settings(&f), .effect = effect, .seed = seed};
    plan.timing.rule.seconds = 0.1;
    if (!pairs_measure((struct target[]){fake_target(&base), fake_target(&head)}, &plan, times, &err))
        fail_msg("%s", err.text);
    assert_int_equal(f.opened, f.closed);
}

// Measures the points of one comparison.
static struct counted compare(uint64_t seed, const struct fake_load *load, double slower, size_t points) {
    static struct pair_times times;
    struct counted counted = {0};
    struct ratio ratios[POINTS];
    double p[POINTS];
    const char *why;
    for (size_t i = 0; i < points; i++) {
        measure(seed + i, load, slower, &times);
        ratios[i] = ratio_of_sessions(times.values[0], times.values[1], times.count, &p[i]);
    }
    holm_correct(p, points);
    for (size_t i = 0; i < points; i++) counted.verdicts[verdict_of_times(&ratios[i], p[i], effect, &why)]++;
    print_message("%.2fx: %zu slower, %zu faster, %zu ambiguous, %zu same\n", slower, counted.verdicts[VERDICT_SLOWER],
        counted.verdicts[VERDICT_FASTER], counted.verdicts[VERDICT_AMBIGUOUS], counted.verdicts[VERDICT_SAME]);
    return counted;
}

static void equal_kernels_are_never_slower_or_faster(void **state) {
    for (size_t i = 0; i < HOSTS; i++) {
        const struct counted counted = compare(1000 * i + 1, &hosts[i].load, 1, POINTS);
        assert_int_equal(counted.verdicts[VERDICT_SLOWER] + counted.verdicts[VERDICT_FASTER], 0);
        assert_true(counted.verdicts[VERDICT_SAME] >= hosts[i].least_same);
    }
}

static void a_slower_kernel_is_found_or_ambiguous(void **state) {
    for (size_t i = 0; i < HOSTS; i++) {
        const struct counted counted = compare(1000 * i + 1, &hosts[i].load, 1.3, SLOWER);
        assert_int_equal(counted.verdicts[VERDICT_SAME] + counted.verdicts[VERDICT_FASTER], 0);
        assert_true(counted.verdicts[VERDICT_SLOWER] >= hosts[i].least_slower);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_kernels_are_never_slower_or_faster),
        cmocka_unit_test(a_slower_kernel_is_found_or_ambiguous),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
