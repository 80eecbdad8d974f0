// SPDX-License-Identifier: Apache-2.0
// Shapes chosen for several devices, and their costs on a device left out, against values found by hand.
#include "../joined.h"
#include "../../device/device_info.h"
#include "../../record/result.h"
#include "../../../reference/tests/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEVICES = 4, TIMES = 16, MANY = 97 };

static bool equal(double a, double b) {
    return fabs(a - b) < 1e-12 || (isnan(a) && isnan(b));
}

// Devices 0 and 1 are of one family, 2 of another family of their vendor, and 3 of another vendor. A loss below 0 is
// a wrong result. Sorted by device, then shape.
static const struct loss {
    uint32_t device, shape;
    double loss;
} case_a[] = {{0, 0, 0}, {0, 1, 0.5}, {0, 2, 0.1}, {1, 0, 0.4}, {1, 1, 0}, {1, 2, 0.2}, {2, 0, -1}, {2, 1, 0.3},
    {2, 2, 0}, {3, 0, 0.6}, {3, 1, 0}},
  case_b[] = {{0, 0, 0}, {0, 1, 0.3}, {1, 0, -1}, {1, 1, 0}}, case_c[] = {{0, 0, 0}, {3, 0, 0.2}, {3, 1, 0}};

static struct joined joined;
static struct joined_device devices[DEVICES];
static struct joined_case cases[3];
static struct joined_time times[3][TIMES];

static struct joined_time time_of(uint32_t device, uint32_t shape, double loss) {
    return (struct joined_time){.device = device,
        .shape = shape,
        .right = loss >= 0,
        .loss = loss >= 0 ? loss : NAN,
        .samples = loss == 0 ? 9 : 0, // the best shape's
        .unfinished = loss == 0 && device == 1,
        .source = device == 2 ? 20 : 10};
}

static void take_case(size_t at, const char *name, const struct loss *losses, size_t count, size_t shapes) {
    cases[at] = (struct joined_case){.name = name, .times = times[at], .count = count, .shape_count = shapes};
    for (size_t i = 0; i < count; i++) times[at][i] = time_of(losses[i].device, losses[i].shape, losses[i].loss);
}

static int set_up(void **state) {
    static const uint32_t ids[DEVICES][2] = {{1, 0x101}, {1, 0x102}, {1, 0x201}, {2, 0x101}};
    for (size_t i = 0; i < DEVICES; i++)
        devices[i] = (struct joined_device){.info = {.vendor_id = ids[i][0], .device_id = ids[i][1]}, .model = i};
    take_case(0, "b", case_b, sizeof case_b / sizeof *case_b, 2);
    take_case(1, "a", case_a, sizeof case_a / sizeof *case_a, 3);
    take_case(2, "c", case_c, sizeof case_c / sizeof *case_c, 2);
    joined = (struct joined){.devices = devices, .device_count = DEVICES, .cases = cases, .case_count = 3};
    return 0;
}

static int tear_down(void **state) {
    arena_free(&joined.arena);
    return 0;
}

static void each_scope_has_its_shape(void **state) {
    static const struct joined_row rows[] = {
        {.scope = JOINED_DEVICE, .device = 0, .members = 1, .shape = 0, .source = 10},
        {.scope = JOINED_DEVICE, .device = 1, .members = 1, .shape = 1, .source = 10, .unfinished = true},
        {.scope = JOINED_DEVICE, .device = 2, .members = 1, .shape = 2, .source = 20},
        {.scope = JOINED_DEVICE, .device = 3, .members = 1, .shape = 1, .source = 10},
        {.scope = JOINED_FAMILY, .device = 0, .members = 2, .shape = 2, .source = 10, .worst = 0.2, .unfinished = true},
        // Shape 0 is wrong on device 2, which has another source.
        {.scope = JOINED_VENDOR, .members = 3, .shape = 2, .source = 10, .worst = 0.2, .other = 1, .unfinished = true},
        // Shape 2 is not known on device 3.
        {.scope = JOINED_PORTABLE,
            .members = 4,
            .shape = 1,
            .source = 10,
            .worst = 0.5,
            .other = 1,
            .unfinished = true},
    };
    struct joined_row *found;
    assert_int_equal(joined_rows(&joined, &cases[1], &joined.arena, &found), sizeof rows / sizeof *rows);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(found[i].scope, rows[i].scope);
        assert_int_equal(found[i].device, rows[i].device);
        assert_int_equal(found[i].members, rows[i].members);
        assert_int_equal(found[i].shape, rows[i].shape);
        assert_int_equal(found[i].source, rows[i].source);
        assert_int_equal(found[i].other, rows[i].other);
        assert_int_equal(found[i].unknown, 0);
        assert_int_equal(found[i].unfinished, rows[i].unfinished);
        assert_true(equal(found[i].worst, rows[i].worst));
    }
}

static void each_device_left_out_has_its_cost(void **state) {
    static const struct joined_fallback rows[] = {
        {.device = 0, .scope = JOINED_FAMILY, .cases = 2, .median = 0.4, .worst = 0.5, .worst_case = "a"},
        {.device = 0, .scope = JOINED_VENDOR, .cases = 2, .median = 0.2, .worst = 0.3, .worst_case = "b"},
        {.device = 0,
            .scope = JOINED_PORTABLE,
            .cases = 3,
            .unknown = 1,
            .median = 0.4,
            .worst = 0.5,
            .worst_case = "a"},
        {.device = 1, .scope = JOINED_FAMILY, .cases = 2, .wrong = 1, .median = 0.4, .worst = 0.4, .worst_case = "a"},
        {.device = 1, .scope = JOINED_VENDOR, .cases = 2, .wrong = 1, .median = 0.2, .worst = 0.2, .worst_case = "a"},
        {.device = 1, .scope = JOINED_PORTABLE, .cases = 2, .wrong = 1, .worst_case = "a"},
        {.device = 2, .scope = JOINED_VENDOR, .cases = 1, .other = 1, .worst_case = "a"},
        {.device = 2, .scope = JOINED_PORTABLE, .cases = 1, .other = 1, .median = 0.3, .worst = 0.3, .worst_case = "a"},
        {.device = 3,
            .scope = JOINED_PORTABLE,
            .cases = 2,
            .unknown = 1,
            .median = 0.2,
            .worst = 0.2,
            .worst_case = "c"},
    };
    joined_leave_out(&joined);
    assert_int_equal(joined.fallback_count, sizeof rows / sizeof *rows);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct joined_fallback *found = &joined.fallbacks[i];
        assert_int_equal(found->device, rows[i].device);
        assert_ptr_equal(found->name, devices[rows[i].device].info.name);
        assert_int_equal(found->scope, rows[i].scope);
        assert_int_equal(found->cases, rows[i].cases);
        assert_int_equal(found->wrong, rows[i].wrong);
        assert_int_equal(found->unknown, rows[i].unknown);
        assert_int_equal(found->other, rows[i].other);
        assert_true(equal(found->median, rows[i].median));
        assert_true(equal(found->worst, rows[i].worst));
        assert_string_equal(found->worst_case, rows[i].worst_case);
    }
    joined.case_count = 2, joined.fallback_count = 0; // without case c, no loss is known on device 3
    joined_leave_out(&joined);
    const struct joined_fallback *last = &joined.fallbacks[joined.fallback_count - 1];
    assert_int_equal(last->device, 3);
    assert_true(isnan(last->worst) && isnan(last->median) && !last->worst_case);
}

static void shared_cases_are_served_within_a_loss(void **state) {
    static const struct {
        double most;
        size_t served;
    } rows[] = {{0.5, 3}, {0.49, 2}, {0.3, 2}, {0.29, 1}, {0.2, 1}, {0.19, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct joined_shared found = joined_shared(&joined, rows[i].most);
        assert_int_equal(found.cases, 3);
        assert_int_equal(found.served, rows[i].served);
        assert_int_equal(found.mixed, 1);
    }
    joined.device_count = 1; // nothing is shared
    cases[0].count = 2, cases[1].count = 3, cases[2].count = 1;
    assert_int_equal(joined_shared(&joined, 1).cases, 0);
}

static void losses_are_of_a_shape_on_a_device(void **state) {
    assert_true(joined_loss(&cases[1], 0, 1) == 0.5);
    assert_true(joined_loss(&cases[1], 1, 0) == 0.4);
    assert_true(isinf(joined_loss(&cases[1], 2, 0)));
    assert_true(isnan(joined_loss(&cases[1], 3, 2)));
    assert_null(joined_best(&cases[0], 2));
    assert_ptr_equal(joined_best(&cases[1], 2), &times[1][8]);
    assert_true(joined_other_source(&cases[1], 2, 1, 10));
    assert_false(joined_other_source(&cases[1], 2, 1, 20));
    assert_false(joined_other_source(&cases[1], 3, 2, 1)); // not measured there
}

// Each shape's losses on three devices: below 0 is wrong, NaN is not measured.
static void fewest_wrong_then_known_then_worst_then_sum_decide(void **state) {
    static const struct {
        double loss[2][3];
        size_t shape, unknown;
    } rows[] = {
        {{{0.5, -1, 0.5}, {0, -1, -1}}, 0, 1},
        {{{0, -1, 0}, {0.9, 0.9, 0.9}}, 1, 0},
        {{{0, 0, NAN}, {0.5, 0.5, 0.5}}, 1, 0},
        {{{0, 0.1, NAN}, {0, NAN, 0}}, 1, 1},
        {{{NAN, 0, NAN}, {0, 0.1, NAN}}, 1, 0},
        {{{0.5, 0, 0}, {0.4, 0.4, 0.4}}, 1, 0},
        {{{0.4, 0.4, 0.4}, {0.5, 0, 0}}, 0, 0},
        {{{0.5, 0.5, 0}, {0.5, 0.1, 0.1}}, 1, 0},
        {{{0.5, 0.1, 0.1}, {0.5, 0.5, 0}}, 0, 0},
        {{{0.5, 0.1, 0.1}, {0.5, 0.1, 0.1}}, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct joined_time all[6];
        struct joined_row *found;
        struct joined_case one = {.times = all, .shape_count = 2};
        for (uint32_t device = 0; device < 3; device++)
            for (uint32_t shape = 0, first = 0; shape < 2; shape++) {
                if (isnan(rows[i].loss[shape][device])) continue;
                all[one.count] = time_of(device, shape, rows[i].loss[shape][device]);
                all[one.count++].samples = !first++;
            }
        const size_t count = joined_rows(&joined, &one, &joined.arena, &found);
        assert_int_equal(found[count - 1].scope, JOINED_PORTABLE);
        assert_int_equal(found[count - 1].shape, rows[i].shape);
        assert_int_equal(found[count - 1].unknown, rows[i].unknown);
    }
}

// A device without times of the case has none of its neighbours'.
static void a_device_between_others_knows_nothing(void **state) {
    const struct joined_time two[] = {time_of(0, 0, 0), time_of(2, 0, 0)};
    const struct joined_case one = {.times = two, .count = 2, .shape_count = 1};
    assert_ptr_equal(joined_best(&one, 0), &two[0]);
    assert_null(joined_best(&one, 1));
    assert_ptr_equal(joined_best(&one, 2), &two[1]);
    assert_null(joined_best(&one, 3));
    assert_true(isnan(joined_loss(&one, 1, 0)));
}

// At most 48 of many devices are left out, evenly spaced.
static void of_many_devices_some_are_left_out(void **state) {
    static const struct {
        size_t devices, step, left_out;
    } rows[] = {{1, 1, 0}, {2, 1, 2}, {48, 1, 48}, {49, 2, 25}, {96, 2, 48}, {97, 3, 33}};
    static struct joined_device many[MANY];
    static struct joined_time alike[MANY];
    for (uint32_t i = 0; i < MANY; i++) {
        many[i] = (struct joined_device){.info = {.vendor_id = 1}, .model = i};
        alike[i] = time_of(i, 0, 0);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct joined_case one = {.name = "a", .times = alike, .count = rows[i].devices, .shape_count = 1};
        struct joined j = {.devices = many, .device_count = rows[i].devices, .cases = &one, .case_count = 1};
        joined_leave_out(&j);
        assert_int_equal(j.fallback_count, 3 * rows[i].left_out);
        for (size_t k = 0; k < j.fallback_count; k++) assert_int_equal(j.fallbacks[k].device, k / 3 * rows[i].step);
        arena_free(&j.arena);
    }
}

static void add_cpu(struct joined *j, const char *name) {
    struct device_info info = {.kind = DEVICE_CPU, .vendor_id = 0x10005};
    snprintf(info.name, sizeof info.name, "%s", name);
    struct result result = {
        .device = &info, .context = json_tokener_parse("{\"host\": {\"cpu\": \"X\", \"cores\": 4}}")};
    joined_add(j, &result, name);
    json_object_put(result.context);
}

// The processor is one, but each build compiles in its own way, and has shapes of its own.
static void builds_of_a_cpus_driver_are_devices(void **state) {
    struct joined j = {0};
    add_cpu(&j, "llvmpipe (LLVM 15.0.6, 256 bits)");
    add_cpu(&j, "llvmpipe (LLVM 19.1.7, 256 bits)");
    add_cpu(&j, "llvmpipe (LLVM 15.0.6, 256 bits)");
    assert_int_equal(j.device_count, 2);
    assert_int_equal(j.twice, 1);
    joined_free(&j);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_scope_has_its_shape, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_device_left_out_has_its_cost, set_up, tear_down),
        cmocka_unit_test_setup_teardown(shared_cases_are_served_within_a_loss, set_up, tear_down),
        cmocka_unit_test_setup_teardown(losses_are_of_a_shape_on_a_device, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fewest_wrong_then_known_then_worst_then_sum_decide, set_up, tear_down),
        cmocka_unit_test(a_device_between_others_knows_nothing),
        cmocka_unit_test(of_many_devices_some_are_left_out),
        cmocka_unit_test(builds_of_a_cpus_driver_are_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
