// SPDX-License-Identifier: Apache-2.0
// Sizes for the repository's own kernels that a suite has no point of. Runs from the top of the repository.
#include "../../../shader/manifest/tests/plan_fixture.h"
#include "../suite.h"

#include "../suite_sizes.h"
#include "../../../device/device_info.h"

enum { TUNING, QUICK, FULL, SMOKE, SOURCES };

static const char *const source_names[SOURCES] = {
    [TUNING] = "tuning", [QUICK] = "quick", [FULL] = "full", [SMOKE] = "smoke"};

struct found {
    struct suite suite;
    struct plan plan;
};

static void load(struct fixture *f, struct suite *sources) {
    const char *folders[] = {"kernels"};
    if (!kernels_load(&f->arena, folders, 1, &f->kernels, &f->err)) fail_msg("%s", f->err.text);
    for (int i = 0; i < SOURCES; i++)
        if (!suite_load(&f->arena, arena_format(&f->arena, "suites/%s.json", source_names[i]), &sources[i], &f->err))
            fail_msg("%s", f->err.text);
}

// Plans the points named by a word, like a command with this suite. Returns false with f->err.
static bool find(struct fixture *f, const struct suite *sources, int suite, const char *word,
    struct usual_request request, const struct device_info *device, struct found *out) {
    request.sources = sources;
    request.source_count = SOURCES;
    request.kernels = &f->kernels;
    request.device = device;
    request.select = &word;
    request.select_count = 1;
    *out = (struct found){.suite = sources[suite]};
    return usual_sizes(&f->arena, &request, &out->suite, NULL, &f->err) &&
           plan_build(&f->arena, &out->suite, &f->kernels, device, &word, 1, &out->plan, &f->err);
}

static bool lacks_feature(const struct refusal *refused) {
    return refused && (refused->kind == REFUSAL_FEATURE || refused->kind == REFUSAL_SUBGROUP_FEATURE);
}

static size_t count_legal(const struct plan *plan, bool *lacks) {
    size_t legal = 0;
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->points[i].peak) continue;
        legal += !plan->points[i].refused;
        *lacks |= lacks_feature(plan->points[i].refused);
    }
    return legal;
}

// Returns whether the size decides the kernel's shape, so it has only one shape at each size.
static bool is_of_one_shape(const struct kernel *kernel) {
    return strcmp(kernel->name, "turning_sum.shared") == 0; // a line has four elements for each invocation
}

// Returns how many kernels were planned. Each must have several shapes accepted by the device, or lack a feature.
static size_t tune_each(struct fixture *f, const struct suite *sources, const struct device_info *device) {
    const struct usual_request request = {.each = true, .tuned = true, .shapes = SHAPES_ALL};
    const struct arena kept = f->arena;
    size_t planned = 0;
    for (size_t i = 0; i < f->kernels.count; i++) {
        const struct kernel *kernel = f->kernels.items[i];
        struct found found;
        bool several = false, lacks = false;
        for (int t = 0; t < kernel->tunable_count; t++) several |= kernel->tunables[t].value_count > 1;
        if (!several) continue;
        f->arena = (struct arena){0}; // for this kernel only
        if (!find(f, sources, TUNING, kernel->name, request, device, &found))
            fail_msg("%s: %s", kernel->name, f->err.text);
        const size_t least = is_of_one_shape(kernel) ? 1 : 2, legal = count_legal(&found.plan, &lacks);
        if (legal < least && !lacks) fail_msg("%s has %zu shapes to choose from", kernel->name, legal);
        planned++;
        arena_free(&f->arena);
        f->arena = kept;
    }
    return planned;
}

static void every_kernel_with_a_tunable_can_be_tuned_on_a_gpu(void **state) {
    struct fixture *f = *state;
    struct suite sources[SOURCES];
    struct device_info device = fixture_device();
    load(f, sources);
    device.kind = DEVICE_DISCRETE;
    device.max_size[0] = device.max_invocations = 1024;
    device.shared_bytes = 48 << 10;
    assert_true(tune_each(f, sources, &device) > 300);
}

// The suite's cases fit a plan even in all their shapes, as `tune` plans them.
static void the_suite_tuning_fits_a_plan(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    struct suite sources[SOURCES];
    struct plan plan;
    load(f, sources);
    for (size_t i = 0; i < sources[TUNING].entry_count; i++) sources[TUNING].entries[i].shapes = SHAPES_ALL;
    if (!plan_build(&f->arena, &sources[TUNING], &f->kernels, &device, NULL, 0, &plan, &f->err))
        fail_msg("%s", f->err.text);
}

static void every_kernel_with_a_tunable_can_be_tuned_on_a_cpu(void **state) {
    struct fixture *f = *state;
    struct suite sources[SOURCES];
    struct device_info device = fixture_device();
    load(f, sources);
    device.kind = DEVICE_CPU;
    assert_true(tune_each(f, sources, &device) > 300);
}

// An operator stands for all its kernels, even if the suite has only some of them.
static void an_operator_means_each_of_its_kernels(void **state) {
    struct fixture *f = *state;
    struct suite sources[SOURCES];
    struct device_info device = fixture_device();
    struct found found;
    bool scalar = false, vec4 = false;
    load(f, sources);
    if (!find(f, sources, TUNING, "add", (struct usual_request){.each = true, .tuned = true, .shapes = SHAPES_ALL},
            &device, &found))
        fail_msg("%s", f->err.text);
    for (size_t i = 0; i < found.plan.count; i++) {
        scalar |= strcmp(found.plan.points[i].kernel->name, "add.scalar") == 0;
        vec4 |= strcmp(found.plan.points[i].kernel->name, "add.vec4") == 0;
    }
    assert_true(scalar && vec4); // the suite has only the second
}

static size_t named(const struct plan *plan, const char *glob) {
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++) count += select_matches(glob, plan->points[i].name);
    return count;
}

static void a_type_that_the_suite_lacks_gets_the_given_sizes(void **state) {
    struct fixture *f = *state;
    struct suite sources[SOURCES];
    struct device_info device = fixture_device();
    struct found found;
    load(f, sources);
    if (!find(f, sources, QUICK, "matmul_tn.*/f16", (struct usual_request){.each = true, .sizes = "m=8,n=4k,k=4096"},
            &device, &found))
        fail_msg("%s", f->err.text);
    assert_int_equal(named(&found.plan, "matmul_tn.naive/f16/m=8,n=4096,k=4096"), 1);
    assert_int_equal(named(&found.plan, "matmul_tn.tiled/f16/m=8,n=4096,k=4096"), 1);
    assert_int_equal(named(&found.plan, "matmul_tn"), named(&found.plan, "matmul_tn.*/f16/m=8,n=4096,k=4096"));
}

// Sizes not given come from a suite.
static void some_sizes_may_be_given(void **state) {
    struct fixture *f = *state;
    struct suite sources[SOURCES];
    struct device_info device = fixture_device();
    struct found found;
    load(f, sources);
    if (!find(f, sources, QUICK, "softmax.cached/bf16", (struct usual_request){.each = true, .sizes = "cols=77"},
            &device, &found))
        fail_msg("%s", f->err.text);
    assert_true(named(&found.plan, "softmax.cached/bf16/rows=*,cols=77") > 0);
    assert_int_equal(named(&found.plan, "softmax"), named(&found.plan, "softmax.cached/bf16/rows=*,cols=77"));
}

static void a_case_names_its_own_sizes(void **state) {
    struct fixture *f = *state;
    struct suite sources[SOURCES];
    struct device_info device = fixture_device();
    struct found found;
    load(f, sources);
    if (!find(f, sources, QUICK, "relu.scalar/bf16/n=77", (struct usual_request){0}, &device, &found))
        fail_msg("%s", f->err.text);
    assert_int_equal(named(&found.plan, "relu"), 1);
}

static void what_the_suite_has_stays_as_it_is(void **state) {
    struct fixture *f = *state;
    struct suite sources[SOURCES];
    struct device_info device = fixture_device();
    struct found found;
    load(f, sources);
    if (!find(f, sources, QUICK, "relu", (struct usual_request){0}, &device, &found)) fail_msg("%s", f->err.text);
    assert_int_equal(found.suite.entry_count, sources[QUICK].entry_count);
}

static void sizes_that_an_operator_refuses_are_reported(void **state) {
    static const struct {
        const char *word, *sizes, *says;
    } cases[] = {{"relu", "m=7", "--dims m=7: operator relu takes no dim or parameter \"m\"; did you mean \"n\"?"},
        {"relu", "n=", "--dims expects NAME=SIZE"}};
    struct fixture *f = *state;
    struct suite sources[SOURCES];
    struct device_info device = fixture_device();
    struct found found;
    load(f, sources);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct usual_request request = {.each = true, .sizes = cases[i].sizes, .shapes = SHAPES_ALL};
        assert_false(find(f, sources, TUNING, cases[i].word, request, &device, &found));
        assert_int_equal(f->err.status, STATUS_USAGE);
        if (!strstr(f->err.text, cases[i].says)) fail_msg("%s", f->err.text);
    }
}

// If no suite has sizes for an operator, sizes are made up: legal ones, in a problem of modest size.
static void an_operator_of_no_suite_gets_sizes_that_it_takes(void **state) {
    struct fixture *f = *state;
    struct suite sources[SOURCES];
    struct device_info device = fixture_device();
    device.shared_bytes = 32 << 10; // as any device with cooperative matrices has
    load(f, sources);
    for (size_t i = 0; i < f->kernels.count; i++) {
        const struct kernel *kernel = f->kernels.items[i];
        const struct usual_request request = {.kernels = &f->kernels,
            .device = &device,
            .select = &kernel->name,
            .select_count = 1,
            .each = true,
            .shapes = SHAPES_DEFAULT};
        struct suite suite = {.name = "none", .settings = settings_standard()};
        struct plan plan;
        bool lacks = false;
        if (!usual_sizes(&f->arena, &request, &suite, NULL, &f->err) ||
            !plan_build(&f->arena, &suite, &f->kernels, &device, &kernel->name, 1, &plan, &f->err))
            fail_msg("%s: %s", kernel->name, f->err.text);
        if (!count_legal(&plan, &lacks) && !lacks) fail_msg("%s: no size that runs", kernel->name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_kernel_with_a_tunable_can_be_tuned_on_a_gpu, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(every_kernel_with_a_tunable_can_be_tuned_on_a_cpu, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_suite_tuning_fits_a_plan, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(an_operator_means_each_of_its_kernels, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_type_that_the_suite_lacks_gets_the_given_sizes, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(some_sizes_may_be_given, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_case_names_its_own_sizes, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(what_the_suite_has_stays_as_it_is, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(sizes_that_an_operator_refuses_are_reported, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(an_operator_of_no_suite_gets_sizes_that_it_takes, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
