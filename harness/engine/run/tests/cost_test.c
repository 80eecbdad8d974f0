// SPDX-License-Identifier: Apache-2.0
// Estimated costs of points, from which shards are cut.
#include "../run.h"

#include "../../../../reference/table.h"
#include "../../../device/device_info.h"
#include "../../../../reference/tests/unit.h"

#include <math.h>

enum { SMALL, LARGE, REFUSED_POINT, COUNT };

static struct kernel kernel;
static struct point points[COUNT];
static struct run_options options;

static int open_points(void **state) {
    static const struct refusal refusal = {.kind = REFUSAL_MEMORY};
    kernel = (struct kernel){.name = "relu.a", .op = operator_named("relu"), .dtypes = {DTYPE_F32}};
    for (int i = 0; i < COUNT; i++)
        points[i] = (struct point){.kernel = &kernel, .dtype = DTYPE_F32, .systems = "", .dims = {1000}};
    points[LARGE].dims[0] = 100000000;
    points[SMALL].name = "x.y/f32/n=1/a";
    points[LARGE].name = "x.y/f32/n=1/b";
    points[REFUSED_POINT].name = "x.y/f32/n=1/c";
    points[REFUSED_POINT].refused = &refusal;
    options = (struct run_options){.settings = settings_standard(), .seed = 7};
    return 0;
}

static void get_costs(double costs[COUNT]) {
    for (int i = 0; i < COUNT; i++) costs[i] = runner_cost(&points[i], &options, NULL);
}

// A large point moves 0.8 GB, at 1 GB a second on the host, and has up to check_operations judged. Five of its runs
// take 4 ms on a GPU and 0.4 s on a CPU.
static void larger_points_cost_more_and_refused_ones_little(void **state) {
    static const struct device_info cpu = {.kind = DEVICE_CPU};
    double costs[COUNT], timed[COUNT];
    get_costs(costs);
    assert_true(costs[SMALL] > 0.03 && costs[SMALL] < 0.031);
    assert_true(costs[LARGE] > 0.83 && costs[LARGE] < 1.3);
    assert_true(costs[REFUSED_POINT] > 0 && costs[REFUSED_POINT] <= 0.003);
    assert_true(fabs(runner_cost(&points[LARGE], &options, &cpu) - costs[LARGE] - 0.4) < 0.01);
    kernel.shared[0] = (struct product){0}; // a byte: the empty product
    kernel.shared_count = 1;
    assert_true(runner_cost(&points[LARGE], &options, &cpu) > 2 * costs[LARGE]); // barriers are slow there
    assert_true(runner_cost(&points[LARGE], &options, NULL) == costs[LARGE]);
    kernel.shared_count = 0;
    options.time = true;
    get_costs(timed);
    options.time = false;
    const double more = options.settings.point_seconds + options.settings.reference_seconds;
    for (int i = SMALL; i <= LARGE; i++) assert_true(fabs(timed[i] - costs[i] - more) < 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(larger_points_cost_more_and_refused_ones_little),
    };
    return cmocka_run_group_tests(tests, open_points, NULL);
}
