// SPDX-License-Identifier: Apache-2.0
// Two versions of a kernel timed interleaved, and the driver's figures of a kernel's passes. Run from the top of the
// repository.
#include "../pair.h"
#include "../../timing/pairs.h"

#include "../../check/tests/best_device.h"
#include "../../vulkan/internal.h"
#include "../../../record/record.h"
#include "../runner.h"
#include "alone.h"

#include <string.h>

static const char *const folders[] = {"kernels"}, *const includes[] = {"kernels/include"};
enum { SAMPLES = 8 }; // of each version, two in each session

struct fixture {
    struct arena arena;
    struct runner *runner;
    struct kernels kernels;
};

static int open_device(void **state) {
    static struct fixture f;
    struct error err = {0};
    const struct device_info *device;
    *state = &f;
    if (!best_device(&f.arena, &device)) return -1;
    if (!device) return 0; // each test skips
    struct run_options options = {.settings = settings_standard(),
        .seed = 1,
        .time = true,
        .include_folders = includes,
        .include_count = 1,
        .timeout_s = 20};
    options.settings.reference_seconds = 1e-9;
    options.settings.least_samples = options.settings.most_samples = SAMPLES;
    f.runner = runner_open(device, &options, &err);
    return f.runner && kernels_load(&f.arena, folders, 1, &f.kernels, &err) ? 0 : -1;
}

static int close_device(void **state) {
    struct fixture *f = *state;
    runner_close(f->runner);
    arena_free(&f->arena);
    return 0;
}

static struct point point_of(struct fixture *f, const char *name) {
    struct error err;
    struct point point;
    if (!point_parse(&f->arena, &f->kernels, name, &point, &err)) fail_msg("%s", err.text);
    return point;
}

static void count(void *user, size_t index) {
    int *times = user;
    assert_true(index < 3);
    times[index]++;
}

// All sessions' samples are in the records, and both versions have as many.
static void two_versions_have_as_many_samples(void **state) {
    struct fixture *f = *state;
    needs_hardware(f->runner, "Vulkan device");
    const struct point points[2] = {point_of(f, "relu.scalar/f32/n=1024/wg=64x1x1,ITEMS=4"),
        point_of(f, "relu.scalar/f32/n=1024/wg=128x1x1,ITEMS=4")};
    struct record records[2];
    int times[3] = {0};
    struct pair_side sides[2];
    for (int i = 0; i < 2; i++)
        sides[i] = (struct pair_side){
            .point = &points[i], .include_folders = includes, .include_count = 1, .record = &records[i]};
    assert_true(runner_pair(f->runner, sides, 0.05, &f->arena, count, times));
    for (int i = 0; i < 2; i++) {
        const struct summary *time = &records[i].time[FIGURE_COMPUTE];
        if (records[i].status != RECORD_PASS) fail_msg("%s", records[i].reason);
        assert_int_equal(time->samples, SAMPLES);
        assert_true(time->min > 0 && time->min <= time->median && time->median <= time->max);
        for (size_t s = 0; s < time->samples; s++) assert_true(records[i].samples[FIGURE_COMPUTE][s] > 0);
    }
    assert_string_equal(records[0].name, points[0].name);
    assert_string_equal(records[1].name, points[1].name);
    assert_true(times[0] == 1 && times[1] == 1 && times[2] == PAIR_SESSIONS); // each is prepared, then both timed
}

// An absent version is no fault of the other one. The other one is then not timed.
static void one_version_is_not_timed(void **state) {
    struct fixture *f = *state;
    needs_hardware(f->runner, "Vulkan device");
    const struct point point = point_of(f, "relu.scalar/f32/n=1024/wg=64x1x1,ITEMS=4");
    struct record record, other = {.status = RECORD_SKIP};
    const struct pair_side sides[2] = {
        {.record = &other}, {.point = &point, .include_folders = includes, .include_count = 1, .record = &record}};
    assert_true(runner_pair(f->runner, sides, 0.05, &f->arena, NULL, NULL));
    assert_int_equal(record.status, RECORD_PASS);
    assert_int_equal(record.time[FIGURE_COMPUTE].samples, 0);
    assert_int_equal(other.status, RECORD_SKIP);
}

// A point with a range of inputs is judged at each of them, and not timed.
static void each_input_of_a_range_is_judged(void **state) {
    struct fixture *f = *state;
    needs_hardware(f->runner, "Vulkan device");
    const struct point point = point_of(f, "relu.scalar/f32/n=1024/wg=64x1x1,ITEMS=4/bits=3f800000-3f800fff");
    struct record record;
    assert_true(run_alone(f->runner, &point, &f->arena, &record));
    if (record.status != RECORD_PASS) fail_msg("%s", record.reason);
    assert_true(record.exhaustive.bits == 32 && record.exhaustive.inputs == 4096 && record.check.checked == 4096);
    assert_true(record.exhaustive.first == 0x3f800000 && record.exhaustive.last == 0x3f800fff);
    assert_int_equal(record.time[FIGURE_COMPUTE].samples, 0);
}

// ---- figures of the machine code

static double figure(const struct record *record, const char *name) {
    for (int i = 0; i < record->code_count; i++)
        if (strcmp(record->code[i].name, name) == 0) return record->code[i].value;
    return -1;
}

// The figures are put into the built programs, because software drivers give none. The largest of all passes counts.
static void figures_of_all_passes_are_recorded(void **state) {
    struct fixture *f = *state;
    needs_hardware(f->runner, "Vulkan device");
    const struct point point = point_of(f, "sum.multipass/f32/n=1027/wg=64x1x1,ITEMS=4");
    struct record record;
    assert_true(run_alone(f->runner, &point, &f->arena, &record));
    if (record.status != RECORD_PASS) fail_msg("%s", record.reason);
    struct built *built = NULL;
    for (int b = 0; b < BUILT_KEPT; b++)
        if (f->runner->workshop.built[b].pass_count == 2) built = &f->runner->workshop.built[b];
    assert_non_null(built);
    built->passes[0]->statistics[0] = (struct program_statistic){.name = "registers", .value = 20};
    built->passes[0]->statistics[1] = (struct program_statistic){.name = "spills", .value = 3};
    built->passes[0]->statistic_count = 2;
    built->passes[1]->statistics[0] = (struct program_statistic){.name = "spills", .value = 2};
    built->passes[1]->statistics[1] = (struct program_statistic){.name = "registers", .value = 31};
    built->passes[1]->statistics[2] = (struct program_statistic){.name = "waves", .value = 8};
    built->passes[1]->statistic_count = 3;
    assert_true(run_alone(f->runner, &point, &f->arena, &record));
    assert_int_equal(record.code_count, 3);
    assert_true(figure(&record, "registers") == 31 && figure(&record, "spills") == 3 && figure(&record, "waves") == 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_versions_have_as_many_samples),
        cmocka_unit_test(one_version_is_not_timed),
        cmocka_unit_test(each_input_of_a_range_is_judged),
        cmocka_unit_test(figures_of_all_passes_are_recorded),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
