// SPDX-License-Identifier: Apache-2.0
// Losses that a search learns for later ones, and its runner-up, by their medians.
#include "../../truth/stats/summary.h"
#include "made_up.h"

static struct summary time_of(double median, double lo, double hi) {
    return (struct summary){.median = median, .lo = lo, .hi = hi, .min = lo, .max = hi, .samples = 20};
}

// Losses are of medians, over the best shape's. Later ones replace earlier ones.
static void losses_are_of_medians(void **state) {
    static const char *const names[] = {"wg=64x1x1", "wg=128x1x1", "wg=256x1x1", "wg=512x1x1"};
    static const struct {
        double medians[4]; // 0: not timed
        int best, runner_up;
        double expected[4]; // afterwards; 0: unknown
    } rows[] = {
        {{1500, 1000, 0, 0}, NOT_FOUND, 1, {0, 0, 0, 0}},
        {{1500, 1000, 0, 0}, 1, NOT_FOUND, {1.5, 1, 0, 0}},
        {{1000, 4000, 2000, 0}, 0, 2, {1, 4, 2, 0}},
        {{0, 3000, 0, 6000}, 1, 3, {1, 1, 2, 2}},
    };
    struct made_up m;
    struct arena arena = {0};
    struct model model = {.arena = &arena};
    bool wrong[4] = {false};
    made_up_valley(&m, 4, 1, 0, 0, 0.5);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct summary times[4] = {{0}};
        for (int k = 0; k < 4; k++)
            if (rows[i].medians[k] > 0)
                times[k] = time_of(rows[i].medians[k], rows[i].medians[k] * 0.7, rows[i].medians[k] * 1.2);
        const struct search_finding finding = {
            .times = times, .wrong = wrong, .best = rows[i].best, .runner_up = rows[i].runner_up};
        model_learn(&model, "add.vec4 f32", names, &m.space, &finding);
        model_expect(&model, "add.vec4 f32", names, &m.space);
        for (int k = 0; k < 4; k++)
            assert_true(
                rows[i].expected[k] > 0 ? m.places[k].expected == rows[i].expected[k] : isnan(m.places[k].expected));
    }
    assert_int_equal(model.count, 4);
    arena_free(&arena);
    arena_free(&m.arena);
}

// The runner-up has the least median among right shapes that are no ties.
static void the_runner_up_is_the_fastest_beyond_the_ties(void **state) {
    struct summary times[] = {time_of(130, 129, 131), time_of(100, 99, 101), time_of(120, 112, 128),
        time_of(100.5, 100, 101), time_of(118, 117, 119), time_of(110, 109, 111), time_of(125, 124, 126)};
    bool wrong[] = {false, false, false, false, false, true, false};
    struct search_finding finding = {.times = times, .wrong = wrong, .standard = NOT_FOUND};
    finding_choose(&finding, sizeof times / sizeof *times, 20);
    assert_int_equal(finding.best, 1);
    assert_int_equal(finding.runner_up, 4);
    assert_int_equal(finding.tie_count, 1);
    assert_int_equal(finding.ties[0], 3);
}

// Three noisy shapes, the default among them: the default is best, and the faster ones are its ties.
static void a_default_that_ties_is_best(void **state) {
    struct summary times[] = {time_of(110, 60, 200), time_of(100, 50, 190), time_of(105, 55, 180)};
    bool wrong[3] = {false};
    static const int best[] = {0, 1, 2, 0}, standard[] = {0, 1, 2, NOT_FOUND};
    for (int i = 0; i < 4; i++) {
        struct search_finding finding = {.times = times, .wrong = wrong, .standard = standard[i]};
        finding_choose(&finding, 3, 20);
        assert_int_equal(finding.best, best[i]);
        assert_int_equal(finding.tie_count, 2);
        assert_int_equal(finding.runner_up, NOT_FOUND);
    }
    struct search_finding finding = {.times = times, .wrong = wrong, .standard = 0};
    wrong[0] = true; // at neighbouring sizes
    finding_choose(&finding, 3, 20);
    assert_int_equal(finding.best, 1);
    assert_int_equal(finding.tie_count, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses_are_of_medians),
        cmocka_unit_test(the_runner_up_is_the_fastest_beyond_the_ties),
        cmocka_unit_test(a_default_that_ties_is_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
