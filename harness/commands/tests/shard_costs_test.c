// SPDX-License-Identifier: Apache-2.0
// Estimated and measured costs of points, from which shards are cut.
#include "../bench/shard_costs.h"

#include "../../../reference/table.h"
#include "../../device/device_info.h"
#include "../../record/tests/small_result.h"
#include "../../../reference/tests/unit.h"

#include <math.h>

enum { SMALL, LARGE, REFUSED_POINT, COUNT };

static struct kernel kernel;
static struct point points[COUNT];
static const struct plan plan = {.points = points, .count = COUNT};
static struct run_options options;

static int open_plan(void **state) {
    static const struct refusal refusal = {.kind = REFUSAL_MEMORY};
    if (folder_make(state) != 0) return -1;
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

static const double *costs_of(struct arena *arena, const char *path) {
    struct error err = {0};
    const double *costs = shard_costs(arena, &plan, &options, NULL, path, &err);
    if (!costs) fail_msg("%s", err.text);
    return costs;
}

// A large point moves 0.8 GB, at 1 GB a second on the host, and has up to check_operations judged. Five of its runs
// take 4 ms on a GPU and 0.4 s on a CPU.
static void larger_points_cost_more_and_refused_ones_little(void **state) {
    static const struct device_info cpu = {.kind = DEVICE_CPU};
    struct arena arena = {0};
    const double *costs = costs_of(&arena, NULL);
    assert_true(costs[SMALL] > 0.03 && costs[SMALL] < 0.031);
    assert_true(costs[LARGE] > 0.83 && costs[LARGE] < 1.3);
    assert_true(costs[REFUSED_POINT] > 0 && costs[REFUSED_POINT] <= 0.003);
    assert_true(fabs(runner_cost(&points[LARGE], &options, &cpu) - costs[LARGE] - 0.4) < 0.01);
    options.time = true;
    const double *timed = costs_of(&arena, NULL);
    options.time = false;
    const double more = options.settings.point_seconds + options.settings.reference_seconds;
    for (int i = SMALL; i <= LARGE; i++) assert_true(fabs(timed[i] - costs[i] - more) < 1e-9);
    arena_free(&arena);
}

// Writes a result with these seconds of the points; 0: the point is missing.
static const char *write_seconds(double small, double large) {
    const double seconds[] = {small, large};
    struct json_object *records[2], *context = small_context(NULL);
    struct error err = {0};
    size_t count = 0;
    for (int i = 0; i < 2; i++) {
        struct record r = sample_record();
        if (!(seconds[i] > 0)) continue;
        for (int part = 0; part < WALL_COUNT; part++) r.wall.ns[part] = 0;
        r.name = points[i].name;
        r.case_length = strlen("x.y/f32/n=1");
        r.wall.ns[WALL_COMPILE] = (int64_t)(0.75e9 * seconds[i]);
        r.wall.ns[WALL_JUDGE] = (int64_t)(0.25e9 * seconds[i]);
        records[count++] = record_to_json(&r, true);
    }
    const char *path = in_folder("result.jsonl");
    if (!result_write(path, context, records, count, NULL, 4, false, &err)) fail_msg("%s", err.text);
    for (size_t i = 0; i < count; i++) json_object_put(records[i]);
    json_object_put(context);
    return path;
}

// Estimates of the others have the scale of the points with both.
static void measured_costs_take_the_place_of_estimates(void **state) {
    struct arena arena = {0};
    struct error err = {0};
    const double *guess = costs_of(&arena, NULL);
    const double *one = costs_of(&arena, write_seconds(4, 0));
    assert_true(fabs(one[SMALL] - 4) < 1e-9);
    assert_true(fabs(one[LARGE] / guess[LARGE] - 4 / guess[SMALL]) < 1e-6);
    const double *both = costs_of(&arena, write_seconds(4, 0.5));
    assert_true(fabs(both[SMALL] - 4) < 1e-9 && fabs(both[LARGE] - 0.5) < 1e-9);
    const double scale = 4.5 / (guess[SMALL] + guess[LARGE]);
    assert_true(fabs(both[REFUSED_POINT] / guess[REFUSED_POINT] - scale) < 1e-6);
    assert_null(shard_costs(&arena, &plan, &options, NULL, in_folder("nothing.json"), &err));
    assert_non_null(strstr(err.text, "--costs: "));
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(larger_points_cost_more_and_refused_ones_little),
        cmocka_unit_test(measured_costs_take_the_place_of_estimates),
    };
    return cmocka_run_group_tests(tests, open_plan, folder_remove);
}
