// SPDX-License-Identifier: Apache-2.0
// A second run with the operands packed into one buffer, on the best device. Run from the top of the repository.
#include "../check.h"
#include "../launch.h"
#include "best_device.h"
#include "../../../device/device_info.h"
#include "../../../record/record.h"
#include "../../../../reference/tests/unit.h"

#include <stdlib.h>
#include <string.h>

static const char *const kernel_folders[] = {"kernels"}, *const include_folders[] = {"kernels/include"};

struct fixture {
    struct arena arena;
    struct device_info device;
    struct gpu *gpu;
    struct work *work;
    struct kernels kernels;
    struct workshop workshop;
    struct problem problem;
    struct truth truth;
    struct point point;
    struct launch launch;
    struct policy policy;
};

static int open_device(void **state) {
    struct error err = {0};
    const struct device_info *device;
    struct fixture *f = calloc(1, sizeof *f);
    *state = f;
    if (!f || !best_device(&f->arena, &device)) return -1;
    if (!device) return 0; // each test skips
    f->device = *device;
    f->gpu = gpu_open(&f->device, &(struct gpu_options){0}, &err);
    f->work = f->gpu ? work_create(f->gpu, 0, &err) : NULL;
    return f->work && kernels_load(&f->arena, kernel_folders, 1, &f->kernels, &err) ? 0 : -1;
}

static int close_device(void **state) {
    struct fixture *f = *state;
    if (f->gpu) {
        launch_release(f->gpu, &f->launch);
        truth_free(&f->truth);
        problem_close(f->gpu, &f->problem);
        workshop_close(f->gpu, &f->workshop);
        work_destroy(f->gpu, f->work);
        gpu_close(f->gpu);
    }
    arena_free(&f->arena);
    free(f);
    return 0;
}

static struct fixture *prepare(void **state, const char *name) {
    struct fixture *f = *state;
    struct error err = {0};
    bool made;
    needs_hardware(f->gpu, "Vulkan device");
    struct run_options options = {.settings = settings_standard(),
        .seed = 1,
        .include_folders = include_folders,
        .include_count = 1,
        .timeout_s = 20};
    if (!point_parse(&f->arena, &f->kernels, name, &f->point, &err) ||
        !problem_open(f->gpu, &f->point, 1, &f->problem, &err))
        fail_msg("%s", err.text);
    const struct built *built = workshop_build(&f->workshop, f->gpu, &options, &f->point, &made, &err);
    if (!built || !launch_prepare(f->gpu, &f->point, &f->problem, built, &f->launch, &err)) fail_msg("%s", err.text);
    truth_make(&f->problem, &options.settings, 0, built->policy.rte, false, &f->truth);
    f->policy = built->policy;
    return f;
}

static struct record check(struct fixture *f) {
    struct record record = {.check = {.worst_index = -1}};
    struct error err = {0};
    struct check_request request = {.gpu = f->gpu,
        .work = f->work,
        .problem = &f->problem,
        .launch = &f->launch,
        .truth = &f->truth,
        .point = &f->point,
        .policy = f->policy,
        .timeout_s = 20,
        .packed = f->problem.packed.bytes > 0};
    if (!check_point(&request, &f->arena, &record, &err)) fail_msg("%s", err.text);
    return record;
}

static const char small[] = "add.vec4/f32/n=1025/wg=64x1x1,ITEMS=1";

static void operands_lie_at_the_least_offsets(void **state) {
    struct fixture *f = prepare(state, small);
    const struct problem *p = &f->problem;
    uint64_t alignment = f->device.storage_alignment < 4 ? 4 : f->device.storage_alignment, end = 0;
    assert_int_equal(p->operand_count, 3);
    for (int i = 0; i < p->operand_count; i++) {
        uint64_t data = p->packed_at[i] + p->guard;
        assert_int_equal(data % alignment, 0);
        assert_int_equal(data / alignment % 2, 1);
        assert_true(p->packed_at[i] >= end);
        end = p->packed_at[i] + operand_span(p, &p->operands[i]);
        assert_ptr_equal(f->launch.dispatches[0].bindings[LAUNCH_PACKED][i].buffer, &p->packed);
        assert_int_equal(f->launch.dispatches[0].bindings[LAUNCH_PACKED][i].offset, data);
    }
    assert_int_equal(end, p->packed.bytes);
    struct record record = check(f);
    assert_int_equal(record.status, RECORD_PASS);
    assert_true(record.check.packed && record.check.same_bits && record.check.guards_intact);
    record = check(f); // the inputs are already there
    assert_int_equal(record.status, RECORD_PASS);
}

// The packed run is made to read one element too far. It differs only in the packed place; unpacked runs are right.
static void what_depends_on_the_place_is_reported(void **state) {
    struct fixture *f = prepare(state, "copy.scalar/f32/n=1024/wg=64x1x1,ITEMS=1");
    f->launch.dispatches[0].bindings[LAUNCH_PACKED][0].offset +=
        f->device.storage_alignment < 4 ? 4 : f->device.storage_alignment;
    struct record record = check(f);
    assert_int_equal(record.status, RECORD_FAIL);
    assert_non_null(strstr(record.reason, "packed into one buffer"));
    assert_true(record.check.same_bits);
}

// If bits may differ, each run is judged, and the place must not matter either.
static void each_run_is_judged_where_bits_may_differ(void **state) {
    struct fixture *f = prepare(state, "copy.scalar/f32/n=1024/wg=64x1x1,ITEMS=1");
    struct kernel kernel = *f->point.kernel;
    kernel.nondeterministic = "a test";
    f->point.kernel = &kernel;
    struct record record = check(f);
    assert_int_equal(record.status, RECORD_PASS);
    assert_true(record.check.packed && record.check.same_bits);
    assert_int_equal(record.check.spread.runs, CHECK_RUNS);
    assert_true(record.check.spread.lo == 0 && record.check.spread.hi == 0);
    assert_int_equal(record.check.elements, 1024); // the figures of one run
    uint64_t hash = record.check.output_hash;
    f->launch.dispatches[0].bindings[LAUNCH_PACKED][0].offset +=
        f->device.storage_alignment < 4 ? 4 : f->device.storage_alignment;
    record = check(f);
    assert_int_equal(record.status, RECORD_FAIL);
    assert_non_null(strstr(record.reason, "in run 2, with packed operands"));
    assert_false(record.check.same_bits);
    assert_int_equal(record.check.elements, 1024);
    assert_true(record.check.failures > 0 && record.check.worst_index >= 0); // of the wrong run
    assert_true(record.check.output_hash == hash);                           // of the first run
}

// A write behind an output hits the guard before the next operand.
static void guards_stand_between(void **state) {
    struct fixture *f = prepare(state, small);
    f->launch.dispatches[0].bindings[LAUNCH_PACKED][2].offset +=
        f->device.storage_alignment < 4 ? 4 : f->device.storage_alignment;
    struct record record = check(f);
    assert_int_equal(record.status, RECORD_FAIL);
    assert_false(record.check.guards_intact);
    assert_non_null(strstr(record.reason, "past the end of operand"));
}

static void large_problems_are_not_packed(void **state) {
    struct fixture *f = prepare(state, "copy.scalar/f32/n=4194304/wg=64x1x1,ITEMS=1");
    assert_int_equal(f->problem.packed.bytes, 0);
    struct record record = check(f);
    assert_int_equal(record.status, RECORD_PASS);
    assert_false(record.check.packed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(operands_lie_at_the_least_offsets, open_device, close_device),
        cmocka_unit_test_setup_teardown(what_depends_on_the_place_is_reported, open_device, close_device),
        cmocka_unit_test_setup_teardown(each_run_is_judged_where_bits_may_differ, open_device, close_device),
        cmocka_unit_test_setup_teardown(guards_stand_between, open_device, close_device),
        cmocka_unit_test_setup_teardown(large_problems_are_not_packed, open_device, close_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
