// SPDX-License-Identifier: Apache-2.0
// The time left: in proportion to the estimated costs of points, and of shaders to the number built.
#include "../session_loop.h"

#include "../../../base/clock.h"
#include "../../../../reference/table.h"
#include "../../../../reference/tests/unit.h"

#include <math.h>

enum { SMALL = 4, LAST = SMALL, COUNT }; // the last one is large

static struct kernel kernel;
static struct point points[COUNT];
static struct session session = {.plan = {.points = points, .count = COUNT}};

static void keep(void *user, const struct progress *progress) {
    *(double *)user = progress->left_s;
}

// Returns the seconds left after the first points took so many seconds, of which so many for shaders of all points.
static double left_after(size_t done, double took_s, double built_s) {
    double left = 0;
    struct session_loop loop = {.session = &session, .start_ns = clock_ns() - (int64_t)(built_s * 1e9)};
    if (built_s > 0) loop.worker = (struct worker_handle){.prefilled = COUNT, .prefill_ns = (int64_t)(built_s * 1e9)};
    session.progress = keep;
    session.user = &left;
    for (size_t i = 0; i < COUNT; i++) session_expect(&loop, &points[i]);
    session_tell(&loop, NULL);
    for (size_t i = 0; i < done; i++) {
        loop.start_ns -= (int64_t)((took_s - built_s) / (double)done * 1e9);
        session_did(&loop, &points[i]);
        session_tell(&loop, NULL);
    }
    return left;
}

static double cost(size_t i) {
    return runner_cost(&points[i], &session.options, session.device);
}

static int make_points(void **state) {
    kernel = (struct kernel){.name = "relu.a", .op = operator_named("relu"), .dtypes = {DTYPE_F32}};
    session.options = (struct run_options){.settings = settings_standard(), .seed = 7};
    for (int i = 0; i < COUNT; i++)
        points[i] = (struct point){.kernel = &kernel, .name = "", .dtype = DTYPE_F32, .systems = "", .dims = {1000}};
    return 0;
}

static void a_point_counts_by_its_cost(void **state) {
    points[LAST].dims[0] = 10000000;
    const double share = cost(LAST) / (SMALL * cost(0));
    assert_true(share > 1);
    assert_true(fabs(left_after(SMALL, 10, 0) - 10 * share) < 0.1 * share);
    assert_true(left_after(COUNT, 10, 0) == 0);
}

// ---- whole sessions, with the cost and the time of each step

enum { MOST_STEPS = 400 };
struct step {
    double cost, s;
};

// Runs a session whose clock shows these times, and asks once a second. Each estimate must be within a factor of two,
// until the last 2 % of the time, and none may come before a twentieth of the work. Returns the number of estimates.
static size_t estimates_hold(const struct step *steps, size_t count) {
    struct time_left left = {0};
    double now = 0, whole = 0;
    size_t shown = 0;
    for (size_t i = 0; i < count; i++) {
        left.work += steps[i].cost;
        whole += steps[i].s;
    }
    for (size_t i = 0; i < count; i++) {
        const double end = now + steps[i].s;
        for (; now < end; now = fmin(now + 1, end)) {
            const double said = time_left_now(&left, now, 0, 0), truth = whole - now;
            if (isnan(said)) continue;
            shown++;
            if (left.worked < 0.05 * left.work) fail_msg("step %zu: %g s left is said too early", i, said);
            if (truth > 0.02 * whole && (said > 2 * truth || said < truth / 2))
                fail_msg("step %zu: %g s left is said, and %g s are", i, said, truth);
        }
        left.worked += steps[i].cost;
    }
    return shown;
}

// Fills the steps with costs that the times follow within half and twice.
static void fill(struct step steps[MOST_STEPS], size_t count) {
    static const double costs[] = {1, 1, 5, 0.2, 1, 30, 2}, rates[] = {0.5, 0.9, 0.6, 1, 0.7, 0.8};
    for (size_t i = 0; i < count; i++) {
        const double cost = costs[i % 7];
        steps[i] = (struct step){cost, cost * rates[i % 6]};
    }
}

static void estimates_are_within_a_factor_of_two(void **state) {
    struct step steps[MOST_STEPS];
    fill(steps, 138);
    assert_true(estimates_hold(steps, 138) > 300);
    fill(steps, MOST_STEPS);
    assert_true(estimates_hold(steps, MOST_STEPS) > 1000);
}

static void a_slow_first_point_says_nothing_of_the_others(void **state) {
    static const double slow_s[] = {60, 600};
    struct step steps[MOST_STEPS];
    for (size_t i = 0; i < sizeof slow_s / sizeof *slow_s; i++) {
        fill(steps, 138);
        steps[0].s = slow_s[i];
        assert_true(estimates_hold(steps, 138) > 300);
        fill(steps, 10);
        for (size_t at = 0; at < 10; at++) steps[at] = (struct step){1, at ? 3 : slow_s[i]};
        assert_true(estimates_hold(steps, 10) > 10);
    }
}

// ---- a session's loop

static void little_work_tells_nothing(void **state) {
    points[LAST].dims[0] = 100000000;
    assert_true(cost(0) / (SMALL * cost(0) + cost(LAST)) < 0.05);
    assert_true(isnan(left_after(0, 10, 0)) && isnan(left_after(1, 10, 0)));
    assert_true(left_after(SMALL, 10, 0) > 0);
}

static void shaders_built_already_are_not_built_again(void **state) {
    points[LAST].dims[0] = 1000;
    assert_true(fabs(left_after(SMALL, 100, 96) - 1) < 0.1);
}

static void it_falls_between_two_points_and_is_not_shown_once_run_out(void **state) {
    double left = 0;
    points[LAST].dims[0] = 1000;
    struct session_loop loop = {.session = &session, .start_ns = clock_ns() - (int64_t)100e9};
    session.progress = keep;
    session.user = &left;
    for (size_t i = 0; i < COUNT; i++) session_expect(&loop, &points[i]);
    session_did(&loop, &points[0]);
    session_tell(&loop, NULL);
    assert_true(isnan(left)); // one point is not enough
    loop.start_ns -= (int64_t)75e9;
    for (size_t i = 1; i < SMALL; i++) session_did(&loop, &points[i]);
    session_tell(&loop, NULL);
    assert_true(fabs(left - 25) < 0.5);
    loop.start_ns -= (int64_t)20e9;
    session_tell(&loop, NULL);
    assert_true(fabs(left - 5) < 0.5);
    loop.start_ns -= (int64_t)20e9;
    session_tell(&loop, NULL);
    assert_true(isnan(left));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_counts_by_its_cost),
        cmocka_unit_test(estimates_are_within_a_factor_of_two),
        cmocka_unit_test(a_slow_first_point_says_nothing_of_the_others),
        cmocka_unit_test(little_work_tells_nothing),
        cmocka_unit_test(shaders_built_already_are_not_built_again),
        cmocka_unit_test(it_falls_between_two_points_and_is_not_shown_once_run_out),
    };
    return cmocka_run_group_tests(tests, make_points, NULL);
}
