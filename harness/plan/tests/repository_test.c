// SPDX-License-Identifier: Apache-2.0
// The repository's own kernels and suites, on a made-up device of 256 invocations and 16 KiB of
// shared memory. Run from the top of the repository.
#include "fixture.h"

static void load_kernels(struct fixture *f) {
    const char *folders[] = {"kernels"};
    if (!kernels_load(&f->arena, folders, 1, &f->kernels, &f->err)) fail_msg("%s", f->err.text);
    assert_true(f->kernels.count > 0);
}

// Every default shape runs on a modest device at modest
// dims: a user's first run must not be a list of refusals.
static void default_shapes_are_legal(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    load_kernels(f);
    for (size_t i = 0; i < f->kernels.count; i++) {
        const struct kernel *kernel = f->kernels.items[i];
        const struct operator *op = kernel->op;
        int64_t dims[OPERATOR_DIMS * 2] = {0};
        // Sizes of 64 but for conv2d's small ones, which its own rules bind together.
        for (int d = 0; d < operator_dims(op); d++)
            dims[d] = strcmp(op->name, "conv2d") == 0 ? 1 : 64;
        const char *refused = operator_derive(op, dims), *why;
        if (refused) fail_msg("%s: %s", kernel->name, refused);
        struct shape shape = kernel_default_shape(kernel);
        for (int dtype = DTYPE_CASE + 1; dtype < DTYPE_COUNT; dtype++)
            if (kernel->dtypes[dtype] &&
                !shape_legal(kernel, &shape, (enum dtype)dtype, dims, &device, &f->arena, &why))
                fail_msg("%s/%s: %s", kernel->name, dtype_info((enum dtype)dtype)->name, why);
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
        if (!plan_build(&f->arena, &suite, &f->kernels, &device, NULL, 0, &plan, &f->err))
            fail_msg("%s", f->err.text);
        assert_true(plan.count > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(default_shapes_are_legal, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(suites_plan, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
