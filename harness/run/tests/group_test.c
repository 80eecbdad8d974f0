// SPDX-License-Identifier: Apache-2.0
// What a point's record says of how it was timed, on the best device there is, whose reference kernel is made up. Run
// from the top of the repository.
#include "../runner.h"
#include "../../base/parallel.h"
#include "best_device.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const folders[] = {"kernels/matrix", "kernels/elementwise"}, *const includes[] = {"kernels/include"};

// How slow the device is at each look of drift_sample, which runs the reference kernel three times.
struct looks {
    const double *slow;
    double stays; // after these
    int count, run;
    int64_t now;
};

struct fixture {
    struct arena arena;
    struct runner *runner;
    struct kernels kernels;
    struct looks looks;
};

static int64_t made_up_ns(void *context) {
    return ((const struct looks *)context)->now;
}

static bool run_made_up(
    void *context, uint32_t rounds, uint32_t groups, double *ns, uint32_t *ticks, struct error *err) {
    struct looks *looks = context;
    int look = looks->run++ / 3;
    looks->now += 1000000;
    (void)rounds, (void)groups, (void)ticks, (void)err;
    *ns = 1e5 * (look < looks->count ? looks->slow[look] : looks->stays);
    return true;
}

static int open_device(void **state) {
    struct error err = {0};
    const struct device_info *device;
    struct fixture *f = calloc(1, sizeof *f);
    *state = f;
    if (!f || !best_device(&f->arena, &device)) return -1;
    if (!device) return 0; // each test skips
    struct run_options options = {.settings = settings_standard(),
        .seed = 1,
        .time = true,
        .include_folders = includes,
        .include_count = 1,
        .timeout_s = 20};
    options.settings.reference_seconds = 1e-9;
    options.settings.point_seconds = 0.01;
    f->runner = runner_open(device, &options, &err);
    return f->runner && kernels_load(&f->arena, folders, 2, &f->kernels, &err) ? 0 : -1;
}

static int close_device(void **state) {
    struct fixture *f = *state;
    runner_close(f->runner);
    arena_free(&f->arena);
    free(f);
    return 0;
}

static struct record go(struct fixture *f, const char *name) {
    struct error err = {0};
    struct point point;
    struct record record;
    needs_hardware(f->runner, "Vulkan device");
    if (!point_parse(&f->arena, &f->kernels, name, &point, &err)) fail_msg("%s", err.text);
    assert_true(runner_point(f->runner, &point, &f->arena, &record));
    if (record.status != RECORD_PASS) fail_msg("%s", record.reason);
    return record;
}

// A record of a device that is so slow at each look: two before a measurement, one within it, one after it, and two
// before it is made again.
static struct record timed_at(struct fixture *f, const double *slow, int count, double stays) {
    struct error err = {0};
    needs_hardware(f->runner, "Vulkan device");
    f->looks = (struct looks){.stays = 1};
    const struct drift_kernel kernel = {
        .context = &f->looks, .timestamps = true, .own_clock = true, .now = made_up_ns, .run = run_made_up};
    assert_true(drift_start(f->runner->drift, &kernel, &err));
    f->looks = (struct looks){.slow = slow, .count = count, .stays = stays, .now = 1000000000000};
    struct record record = go(f, "relu.scalar/f32/n=1025/wg=64x1x1,ITEMS=1");
    assert_true(record.time[FIGURE_COMPUTE].samples > 0);
    return record;
}

static void a_slow_device_is_marked(void **state) {
    struct fixture *f = *state;
    struct record record = timed_at(f, NULL, 0, 1);
    assert_true(!record.throttled && !record.remeasured);
    assert_true(record.drift == 1);
    assert_int_equal(record.looks.count, 3);
    record = timed_at(f, (const double[]){1, 1, 1, 1.5}, 4, 1); // for a while: measured again, when it is over
    assert_true(!record.throttled && record.remeasured);
    assert_true(record.drift == 1 && record.looks.most == 1);
    record = timed_at(f, (const double[]){1, 1, 1.5}, 3, 1); // in between
    assert_true(!record.throttled && record.remeasured);
    record = timed_at(f, (const double[]){1, 1, 1, 1.5, 1, 1, 1, 1, 1.5}, 9, 1); // and again
    assert_true(record.throttled && record.remeasured);
    assert_true(record.drift == 1.5 && record.looks.least == 1 && record.looks.most == 1.5);
    record = timed_at(f, (const double[]){1, 1, 1}, 3, 1.5); // it is not over
    assert_true(record.throttled && !record.remeasured);
}

// Of the scalar reference a part is timed where all of it would take too long.
static void a_reference_that_is_scaled_up_is_marked(void **state) {
    struct fixture *f = *state;
    struct record record = go(f, "matmul.naive_row_y/f32/m=256,n=256,k=256/wg=16x16x1");
    assert_true(record.reference.extrapolated && record.reference.scale > 1);
    record = go(f, "relu.scalar/f32/n=1025/wg=64x1x1,ITEMS=1");
    assert_true(!record.reference.extrapolated && record.reference.scale == 1);
    assert_true(record.reference.ns > 0);
}

// Neither what ran before nor what waits beside it is of a point's memory.
static void memory_is_the_point_s_own(void **state) {
    struct fixture *f = *state;
    const char small[] = "relu.scalar/f32/n=1025/wg=64x1x1,ITEMS=1";
    struct record alone = go(f, small), large = go(f, "relu.scalar/f32/n=1000003/wg=64x1x1,ITEMS=1"),
                  again = go(f, small);
    assert_true(alone.memory_used >= 8200 && large.memory_used >= alone.memory_used + 7900000);
    assert_int_equal(again.memory_used, alone.memory_used);
    assert_int_equal(again.memory_peak, alone.memory_peak);
    struct error err = {0};
    struct point both[2];
    size_t lost;
    struct record records[2];
    static const char *const names[] = {
        "fma.two_pass/f32/n=65536/wg=64x1x1,ITEMS=1,WIDTH=1", "fma.two_pass/f32/n=65536/wg=128x1x1,ITEMS=1,WIDTH=1"};
    for (int i = 0; i < 2; i++)
        if (!point_parse(&f->arena, &f->kernels, names[i], &both[i], &err)) fail_msg("%s", err.text);
    assert_true(runner_points(f->runner, both, 2, &f->arena, records, &lost, NULL, NULL));
    assert_true(records[0].memory_used >= 5 * 65536 * 4); // three operands, the result, what lies between the passes
    assert_int_equal(records[1].memory_used, records[0].memory_used);
    assert_int_equal(records[1].memory_peak, records[0].memory_peak);
}

// Which point's shaders were begun first.
static void note_first(void *user, size_t index) {
    size_t *first = user;
    if (*first == SIZE_MAX) *first = index;
}

static void ignore(void *user, size_t index) {
    (void)user, (void)index;
}

// Devices at work at once begin at other shaders, so that each finds what the others built.
static void building_begins_where_it_is_told(void **state) {
    static const char *const names[] = {"relu.scalar/f32/n=9/wg=64x1x1,ITEMS=1", "exp.scalar/f32/n=9/wg=64x1x1,ITEMS=1",
        "silu.scalar/f32/n=9/wg=64x1x1,ITEMS=1", "copy.scalar/f32/n=9/wg=64x1x1,ITEMS=1"};
    static const double from[] = {0, 0.5, 0.75};
    struct fixture *f = *state;
    struct point points[4];
    struct record lost;
    needs_hardware(f->runner, "Vulkan device");
    for (int i = 0; i < 4; i++) {
        struct error err = {0};
        if (!point_parse(&f->arena, &f->kernels, names[i], &points[i], &err)) fail_msg("%s", err.text);
    }
    parallel_limit(1);
    for (int i = 0; i < 3; i++) {
        size_t first = SIZE_MAX;
        const struct prefill_watch watch = {note_first, ignore, &first};
        workshop_close(f->runner->gpu, &f->runner->workshop);
        f->runner->options.build_from = from[i];
        assert_true(runner_prefill(f->runner, points, 4, &watch, &f->arena, &lost));
        assert_int_equal(first, (size_t)(4 * from[i]));
    }
    parallel_limit(0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_slow_device_is_marked, open_device, close_device),
        cmocka_unit_test_setup_teardown(memory_is_the_point_s_own, open_device, close_device),
        cmocka_unit_test_setup_teardown(building_begins_where_it_is_told, open_device, close_device),
        cmocka_unit_test_setup_teardown(a_reference_that_is_scaled_up_is_marked, open_device, close_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
