// SPDX-License-Identifier: Apache-2.0
// The repository's own kernels and suites, on a made-up device of 256 invocations and 16 KiB of
// shared memory. Run from the top of the repository.
#include "plan_fixture.h"

#include "../../../reference/table.h"

static void load_kernels(struct fixture *f) {
    const char *folders[] = {"kernels"};
    if (!kernels_load(&f->arena, folders, 1, &f->kernels, &f->err)) fail_msg("%s", f->err.text);
    assert_true(f->kernels.count > 0);
}

static bool runs(struct arena *arena, const struct plan *plan, const struct kernel *kernel, const char **why) {
    *why = "the smoke suite does not hold it";
    for (size_t i = 0; i < plan->count; i++) {
        const struct point *point = &plan->points[i];
        if (point->kernel != kernel || !point->is_default) continue;
        const struct refusal *refused = point->refused;
        if (!refused || refused->kind == REFUSAL_FEATURE || refused->kind == REFUSAL_SUBGROUP_FEATURE) return true;
        *why = refusal_text(arena, refused);
    }
    return false;
}

// Every kernel is in the smoke suite, and its default shape runs on a modest device: a user's first run must not be
// a list of refusals.
static void default_shapes_are_legal(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    struct suite smoke;
    struct plan plan;
    load_kernels(f);
    if (!suite_load(&f->arena, "suites/smoke.json", &smoke, &f->err) ||
        !plan_build(&f->arena, &smoke, &f->kernels, &device, NULL, 0, &plan, &f->err))
        fail_msg("%s", f->err.text);
    for (size_t i = 0; i < f->kernels.count; i++) {
        const char *why;
        if (!runs(&f->arena, &plan, f->kernels.items[i], &why)) fail_msg("%s: %s", f->kernels.items[i]->name, why);
    }
}

static void suites_plan(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    char **paths;
    size_t count;
    load_kernels(f);
    assert_true(file_list(&f->arena, "suites", ".json", &paths, &count, &f->err));
    for (size_t i = 0; i < count; i++) {
        struct suite suite;
        struct plan plan;
        if (!suite_load(&f->arena, paths[i], &suite, &f->err)) fail_msg("%s", f->err.text);
        if (!plan_build(&f->arena, &suite, &f->kernels, &device, NULL, 0, &plan, &f->err)) fail_msg("%s", f->err.text);
        assert_true(plan.count > 0);
    }
}

static bool has_operator(const struct plan *plan, const struct op *op) {
    for (size_t i = 0; i < plan->count; i++)
        if (plan->points[i].kernel->op == op) return true;
    return false;
}

static bool has_kernel(const struct plan *plan, const struct kernel *kernel) {
    for (size_t i = 0; i < plan->count; i++)
        if (plan->points[i].kernel == kernel) return true;
    return false;
}

// A seed system's suite holds every operator whose row names the system, `quick` every operator, `full` every kernel.
// No system's letters are found across those of two others.
static const struct {
    const char *suite, *letters;
    bool every_kernel;
} whole[] = {{"torchless", "TL", false}, {"torsh", "TS", false}, {"candle", "CF", false}, {"tensor-frame", "TF", false},
    {"libtorch-rust", "LT", false}, {"full", "", true}, {"quick", "", false}};

static void suites_are_whole(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    int missing = 0;
    load_kernels(f);
    for (size_t w = 0; w < sizeof whole / sizeof *whole; w++) {
        struct suite suite;
        struct plan plan;
        const char *path = arena_format(&f->arena, "suites/%s.json", whole[w].suite);
        if (!suite_load(&f->arena, path, &suite, &f->err) ||
            !plan_build(&f->arena, &suite, &f->kernels, &device, NULL, 0, &plan, &f->err))
            fail_msg("%s", f->err.text);
        for (size_t i = 0; i < f->kernels.count; i++) {
            const struct kernel *kernel = f->kernels.items[i];
            if (!strstr(kernel->op->systems, whole[w].letters)) continue;
            if (whole[w].every_kernel ? has_kernel(&plan, kernel) : has_operator(&plan, kernel->op)) continue;
            print_error("%s does not hold %s\n", path, kernel->name);
            missing++;
        }
    }
    assert_int_equal(missing, 0);
}

// The gate holds every family, on CPUs and on GPUs, so that nothing becomes slower unseen.
static void the_gate_holds_every_family(void **state) {
    struct fixture *f = *state;
    static const enum device_kind kinds[] = {DEVICE_CPU, DEVICE_DISCRETE};
    load_kernels(f);
    for (size_t k = 0; k < 2; k++) {
        struct device_info device = fixture_device();
        struct suite suite;
        struct plan plan;
        device.kind = kinds[k];
        if (!suite_load(&f->arena, "suites/gate.json", &suite, &f->err) ||
            !plan_build(&f->arena, &suite, &f->kernels, &device, NULL, 0, &plan, &f->err))
            fail_msg("%s", f->err.text);
        for (const char *const *family = operator_families; *family; family++) {
            bool held = false;
            for (size_t i = 0; i < plan.count; i++)
                held = held || (!plan.points[i].refused && strcmp(plan.points[i].kernel->op->family, *family) == 0);
            if (!held) fail_msg("on %s the gate holds nothing of the family %s", device_kind_name(kinds[k]), *family);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(default_shapes_are_legal, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(suites_plan, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(suites_are_whole, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_gate_holds_every_family, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
