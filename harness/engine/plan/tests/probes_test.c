// SPDX-License-Identifier: Apache-2.0
// Probes are planned and named like kernels, but kept apart from them.
#include "../probes.h"
#include "../suite.h"
#include "../../../shader/manifest/tests/plan_fixture.h"
#include "../../../device/device_info.h"

static struct plan plan_of(struct fixture *f, const char *entries) {
    struct device_info device = fixture_device();
    struct suite suite;
    struct plan plan = {0};
    fixture_kernels(f);
    const char *content = arena_format(
        &f->arena, "{\"schema_version\": 1, \"name\": \"s\", \"summary\": \"t\", \"entries\": [%s]}", entries);
    f->err = (struct error){0};
    if (!suite_load(&f->arena, fixture_write(f, "suite.txt", content), &suite, &f->err)) return plan;
    if (!plan_build(&f->arena, &suite, &f->kernels, &device, NULL, 0, &plan, &f->err)) plan.count = 0;
    return plan;
}

static void entries_become_points(void **state) {
    struct fixture *f = *state;
    struct plan plan = plan_of(f, "{\"probe\": \"submit.*\", \"dims\": {\"k\": [1, 16]}}");
    static const char *const names[] = {"submit.barriers/probe/k=1/wg=1x1x1", "submit.each/probe/k=1/wg=1x1x1",
        "submit.free/probe/k=1/wg=1x1x1", "submit.queued/probe/k=1/wg=1x1x1", "submit.barriers/probe/k=16/wg=1x1x1",
        "submit.each/probe/k=16/wg=1x1x1", "submit.free/probe/k=16/wg=1x1x1", "submit.queued/probe/k=16/wg=1x1x1"};
    assert_int_equal(plan.count, 8);
    for (size_t i = 0; i < 8; i++) {
        struct point back;
        assert_string_equal(plan.points[i].name, names[i]);
        assert_null(plan.points[i].refused);
        assert_true(point_parse(&f->arena, &f->kernels, names[i], &back, &f->err));
        assert_string_equal(back.name, names[i]);
        assert_true(back.kernel == plan.points[i].kernel && back.kernel->probe);
    }
}

static void globs_over_kernels_take_no_probe(void **state) {
    struct fixture *f = *state;
    struct plan plan = plan_of(f, "{\"kernel\": \"*\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": 1}}");
    for (size_t i = 0; i < plan.count; i++) assert_false(plan.points[i].kernel->probe);
}

static void what_is_off_is_said(void **state) {
    struct fixture *f = *state;
    static const struct {
        const char *entry, *says;
    } bad[] = {
        {"{\"probe\": \"submti.free\", \"dims\": {\"k\": 1}}",
            "no probe matches \"submti.free\"; did you mean \"submit.free\"?"},
        {"{\"probe\": \"submit.free\", \"dims\": {\"k\": 0}}", "must be at least 1"},
        {"{\"probe\": \"submit.free\", \"dims\": {\"k\": 5000}}", "at most 4096"},
        {"{\"probe\": \"submit.free\", \"dims\": {\"n\": 1}}", "takes no dim or parameter \"n\""},
        {"{\"probe\": \"upload.staged\", \"dims\": {\"bytes\": 6}}", "multiple of 4"},
        {"{\"probe\": \"submit.free\", \"kernel\": \"relu.*\", \"dims\": {\"k\": 1}}",
            "expected \"kernel\" or \"probe\", found both"},
        {"{\"probe\": \"submit.free\", \"dims\": {\"k\": 1}, \"shapes\": \"all\"}", "a probe takes no "},
        {"{\"dims\": {\"k\": 1}}", "kernel"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct plan plan = plan_of(f, bad[i].entry);
        assert_int_equal(plan.count, 0);
        assert_says(f->err.text, bad[i].says);
    }
    struct point point;
    assert_false(point_parse(&f->arena, &f->kernels, "submit.free/f32/k=1/wg=1x1x1", &point, &f->err));
    assert_says(f->err.text, "submit.free is a probe");
    assert_false(point_parse(&f->arena, &f->kernels, "relu.scalar/probe/n=1/wg=256x1x1,ITEMS=1", &point, &f->err));
}

static void the_table_is_sorted(void **state) {
    for (size_t i = 1; i < probes()->count; i++)
        assert_true(strcmp(probes()->items[i - 1]->name, probes()->items[i]->name) < 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(entries_become_points, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(globs_over_kernels_take_no_probe, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(what_is_off_is_said, fixture_open, fixture_close),
        cmocka_unit_test(the_table_is_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
