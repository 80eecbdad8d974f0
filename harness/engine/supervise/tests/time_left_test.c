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
    struct session_loop loop = {.session = &session, .start_ns = clock_ns() - (int64_t)(took_s * 1e9)};
    if (built_s > 0) loop.worker = (struct worker_handle){.prefilled = COUNT, .prefill_ns = (int64_t)(built_s * 1e9)};
    session.progress = keep;
    session.user = &left;
    for (size_t i = 0; i < COUNT; i++) session_expect(&loop, &points[i]);
    for (size_t i = 0; i < done; i++) session_did(&loop, &points[i]);
    session_tell(&loop, NULL);
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

static void it_falls_between_two_points(void **state) {
    double left = 0;
    points[LAST].dims[0] = 1000;
    struct session_loop loop = {.session = &session, .start_ns = clock_ns() - (int64_t)100e9};
    session.progress = keep;
    session.user = &left;
    for (size_t i = 0; i < COUNT; i++) session_expect(&loop, &points[i]);
    for (size_t i = 0; i < SMALL; i++) session_did(&loop, &points[i]);
    session_tell(&loop, NULL);
    assert_true(fabs(left - 25) < 0.5);
    loop.start_ns -= (int64_t)20e9;
    session_tell(&loop, NULL);
    assert_true(fabs(left - 5) < 0.5);
    loop.start_ns -= (int64_t)20e9;
    session_tell(&loop, NULL);
    assert_true(left == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_counts_by_its_cost),
        cmocka_unit_test(little_work_tells_nothing),
        cmocka_unit_test(shaders_built_already_are_not_built_again),
        cmocka_unit_test(it_falls_between_two_points),
    };
    return cmocka_run_group_tests(tests, make_points, NULL);
}
