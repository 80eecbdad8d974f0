// SPDX-License-Identifier: Apache-2.0
// The plan: crossing, repetition, order, selection, shards.
#include "../../../base/text.h"
#include "../lines.h"
#include "../suite.h"
#include "../../../shader/manifest/tests/plan_fixture.h"
#include "../../../device/device_info.h"

#include <math.h>

static struct plan plan_of(struct fixture *f, const char *entries, const char *const *select, size_t count) {
    struct device_info device = fixture_device();
    struct suite suite;
    struct plan plan = {0};
    fixture_kernels(f);
    const char *content = arena_format(&f->arena,
        "{\"schema_version\": 1, \"name\": \"s\", \"summary\": \"t\", "
        "\"settings\": {\"memory_share\": 1}, \"entries\": [%s]}",
        entries);
    // not .json, because the folder is read for manifests again
    if (!suite_load(&f->arena, fixture_write(f, "suite.txt", content), &suite, &f->err)) fail_msg("%s", f->err.text);
    f->err = (struct error){0};
    if (!plan_build(&f->arena, &suite, &f->kernels, &device, select, count, &plan, &f->err)) plan.count = 0;
    return plan;
}

static struct plan whole_plan(struct fixture *f, const char *entries) {
    struct plan plan = plan_of(f, entries, NULL, 0);
    if (f->err.text[0]) fail_msg("%s", f->err.text);
    return plan;
}

static void assert_names(struct plan plan, size_t count, const char *const *names) {
    for (size_t i = 0; i < plan.count && i < count; i++) assert_string_equal(plan.points[i].name, names[i]);
    assert_int_equal(plan.count, count);
}
#define ASSERT_NAMES(plan, ...)                                                                                        \
    assert_names(plan, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), (const char *[]){__VA_ARGS__})

// A list of kernels gives the same points as separate entries, and an operator's name the same as a glob over its
// kernels.
static void lists_and_operators_are_crossed_as_entries_are(void **state) {
    struct fixture *f = *state;
    static const char *const same[][2] = {
        {"{\"kernels\": [\"relu.scalar\", \"relu.plain\"], \"dims\": {\"n\": [5, 3]}, \"shapes\": \"default\"}",
            "{\"kernel\": \"relu.scalar\", \"dims\": {\"n\": [5, 3]}, \"shapes\": \"default\"}, "
            "{\"kernel\": \"relu.plain\", \"dims\": {\"n\": [5, 3]}, \"shapes\": \"default\"}"},
        {"{\"operator\": \"relu\", \"dims\": {\"n\": [5, 3]}}", "{\"kernel\": \"relu.*\", \"dims\": {\"n\": [5, 3]}}"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct plan short_form = whole_plan(f, same[i][0]), long_form = whole_plan(f, same[i][1]);
        assert_true(long_form.count > 3);
        assert_int_equal(short_form.count, long_form.count);
        for (size_t p = 0; p < long_form.count; p++)
            assert_string_equal(short_form.points[p].name, long_form.points[p].name);
    }
}

// Four more than those of systems, by default.
static void some_shapes_are_as_many_as_the_suite_says(void **state) {
    struct fixture *f = *state;
    static const char form[] = "{\"kernel\": \"relu.scalar\", \"dims\": {\"n\": 5}, \"shapes\": \"%s\"}";
    const struct plan some = whole_plan(f, arena_format(&f->arena, form, "some"));
    const struct plan all = whole_plan(f, arena_format(&f->arena, form, "all"));
    const struct plan systems = whole_plan(f, arena_format(&f->arena, form, "systems"));
    assert_int_equal(some.count, systems.count + 2 * 4); // of f32 and f16
    assert_true(all.count > some.count);
}

// Numbers from 99 to 100 spread over a hundredth of their size. Others may spread over all of it.
static void only_evenly_drawn_operands_have_narrow_lines(void **state) {
    static const enum fill fills[] = {FILL_UNIFORM, FILL_STEPS, FILL_SPREAD, FILL_WHOLE, FILL_CONSTANT};
    for (size_t i = 0; i < sizeof fills / sizeof *fills; i++) {
        const struct operand operand = {.fill = fills[i], .low = 99, .high = 100};
        const struct line_set lines = {.operand = &operand, .length = 8, .count = 1, .kind = LINES_ALIKE};
        assert_true(lines_spread(&lines) == (i < 2 ? 0.01 : 1));
    }
}

// The second size is refused by a rule of matmul.tiled, wherever it stands.
static void a_pipeline_is_planned_once_at_a_size_that_can_run(void **state) {
    struct fixture *f = *state;
    static const char *const entries[] = {
        "{\"kernel\": \"matmul.tiled\", \"dims\": {\"m\": 4, \"n\": 4, \"k\": [17, 32, 64]}, \"shapes\": \"default\"}",
        "{\"kernel\": \"matmul.tiled\", \"dims\": {\"m\": 4, \"n\": 4, \"k\": [32, 17]}, \"shapes\": \"default\"}"};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        struct plan plan = whole_plan(f, entries[i]);
        plan_pipelines(&f->arena, NULL, 0, &plan);
        ASSERT_NAMES(plan, "matmul.tiled/f32/m=4,n=4,k=32/wg=16x16x1,ITEMS=1,TILE_K=16");
        assert_null(plan.points[0].refused);
    }
}

static void entries_are_crossed_in_order(void **state) {
    struct fixture *f = *state;
    struct plan plan = whole_plan(f, "{\"kernel\": \"relu.*\", \"dims\": [{\"n\": [5, 3]}, {\"n\": "
                                     "4}], \"shapes\": \"default\"}");
    ASSERT_NAMES(plan, "relu.plain/f32/n=5/wg=256x1x1,ITEMS=2", "relu.scalar/f32/n=5/wg=256x1x1,ITEMS=1",
        "relu.scalar/f16/n=5/wg=256x1x1,ITEMS=1", "relu.plain/f32/n=3/wg=256x1x1,ITEMS=2",
        "relu.scalar/f32/n=3/wg=256x1x1,ITEMS=1", "relu.scalar/f16/n=3/wg=256x1x1,ITEMS=1",
        "relu.plain/f32/n=4/wg=256x1x1,ITEMS=2", "relu.scalar/f32/n=4/wg=256x1x1,ITEMS=1",
        "relu.scalar/f16/n=4/wg=256x1x1,ITEMS=1");
    for (size_t i = 0; i < plan.count; i++) assert_true(plan.points[i].is_default && !plan.points[i].refused);
}

static void lists_and_parameters_are_crossed(void **state) {
    struct fixture *f = *state;
    struct plan plan = whole_plan(f, "{\"kernel\": \"rmsnorm.*\", \"dtypes\": [\"f16\"], \"dims\": "
                                     "{\"rows\": [1, 2], \"cols\": 3, "
                                     "\"eps\": [1e-5, 0.5]}, \"shapes\": [{\"WG_X\": 64}]}");
    ASSERT_NAMES(plan, "rmsnorm.workgroup/f16/rows=1,cols=3/wg=64x1x1,ITEMS=1,SUBGROUP=0",
        "rmsnorm.workgroup/f16/rows=1,cols=3,eps=0.5/wg=64x1x1,ITEMS=1,SUBGROUP=0",
        "rmsnorm.workgroup/f16/rows=2,cols=3/wg=64x1x1,ITEMS=1,SUBGROUP=0",
        "rmsnorm.workgroup/f16/rows=2,cols=3,eps=0.5/wg=64x1x1,ITEMS=1,SUBGROUP=0");
    assert_true(plan.points[1].params[0] == 0.5);
    assert_string_equal(plan.points[0].systems, "torchless,candle");
}

static void peaks_come_first_and_cases_stay_together(void **state) {
    struct fixture *f = *state;
    struct plan plan = whole_plan(f, "{\"kernel\": \"relu.scalar\", \"dtypes\": [\"f32\"], "
                                     "\"dims\": {\"n\": [1, 2]}, \"shapes\": \"default\"},"
                                     "{\"kernel\": \"relu.scalar\", \"dtypes\": [\"f32\"], "
                                     "\"dims\": {\"n\": 2}, \"shapes\": \"systems\"},"
                                     "{\"kernel\": \"relu.plain\", \"dims\": {\"n\": 7}, "
                                     "\"shapes\": \"default\", \"peak\": \"p\"},"
                                     "{\"kernel\": \"relu.scalar\", \"dtypes\": [\"f32\"], "
                                     "\"dims\": {\"n\": 1}, \"shapes\": [{\"WG_X\": 32}]}");
    ASSERT_NAMES(plan, "relu.plain/f32/n=7/wg=256x1x1,ITEMS=2", "relu.scalar/f32/n=1/wg=256x1x1,ITEMS=1",
        "relu.scalar/f32/n=1/wg=32x1x1,ITEMS=1", "relu.scalar/f32/n=2/wg=256x1x1,ITEMS=1",
        "relu.scalar/f32/n=2/wg=64x1x1,ITEMS=1", "relu.scalar/f32/n=2/wg=1024x1x1,ITEMS=1");
    assert_string_equal(plan.points[0].peak, "p");
    for (size_t i = 1; i < plan.count; i++) assert_null(plan.points[i].peak);
    assert_non_null(plan.points[5].refused);
}

static void a_repeated_point_keeps_its_peak(void **state) {
    struct fixture *f = *state;
    struct plan plan = whole_plan(f, "{\"kernel\": \"relu.scalar\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": [1, "
                                     "2, 2]}, \"shapes\": \"default\"},"
                                     "{\"kernel\": \"relu.scalar\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": 2}, "
                                     "\"shapes\": \"default\", \"peak\": \"p\"}");
    ASSERT_NAMES(plan, "relu.scalar/f32/n=2/wg=256x1x1,ITEMS=1", "relu.scalar/f32/n=1/wg=256x1x1,ITEMS=1");
    assert_string_equal(plan.points[0].peak, "p");
}

static void entries_for_another_kind_of_device(void **state) {
    struct fixture *f = *state;
    struct plan plan = whole_plan(f, "{\"kernel\": \"relu.plain\", \"dims\": {\"n\": 1}, "
                                     "\"shapes\": \"default\", \"only\": \"cpu\"},"
                                     "{\"kernel\": \"relu.plain\", \"dims\": {\"n\": 2}, "
                                     "\"shapes\": \"default\", \"only\": \"gpu\"}");
    ASSERT_NAMES(plan, "relu.plain/f32/n=2/wg=256x1x1,ITEMS=2");
}

static const char *const bad[][2] = {
    {"{\"kernel\": \"rleu.scalar\", \"dims\": {\"n\": 1}}",
        "$.entries[0].kernel: no kernel matches \"rleu.scalar\"; did you mean \"relu.scalar\"?"},
    {"{\"kernels\": [\"relu.scalar\", \"rleu.scalar\"], \"dims\": {\"n\": 1}}",
        "$.entries[0].kernels[1]: no kernel matches \"rleu.scalar\"; did you mean \"relu.scalar\"?"},
    {"{\"operators\": [\"rleu\"], \"dims\": {\"n\": 1}}",
        "$.entries[0].operators[0]: no kernel is of an operator \"rleu\"; did you mean \"relu\"?"},
    {"{\"kernel\": \"relu.plain\", \"dtypes\": [\"f16\"], \"dims\": {\"n\": 1}}",
        "$.entries[0].dtypes: no kernel that"},
    {"{\"kernel\": \"relu.*\", \"dims\": [{\"n\": 1}, {\"m\": 1}]}",
        "$.entries[0].dims[1].m: operator relu takes no dim or parameter \"m\""},
    {"{\"kernel\": \"matmul.*\", \"dims\": {\"m\": 1, \"n\": 1}}",
        "$.entries[0].dims: dim k is missing; operator matmul takes m, n, k"},
    {"{\"kernel\": \"relu.*\", \"dims\": {\"n\": 1.5}}", "$.entries[0].dims.n: dim n must be a whole number"},
    {"{\"kernel\": \"relu.*\", \"dims\": {\"n\": 4294967296}}", "$.entries[0].dims.n: dim n must be a whole number"},
    {"{\"kernel\": \"relu.*\", \"dims\": {\"n\": 0}, \"only\": \"cpu\"}",
        "$.entries[0].dims: operator relu refuses n=0"},
    {"{\"kernel\": \"matmul.*\", \"dims\": {\"m\": 4294967295, \"n\": 1, \"k\": 4294967295}}", "overflow"},
    {"{\"kernel\": \"relu.*\", \"dims\": {\"n\": 1}, \"shapes\": [{\"WG_Z\": 1}]}",
        "$.entries[0].shapes[0]: kernel relu.plain has no tunable \"WG_Z\"; did you mean "
        "\"WG_X\"?"},
    {"{\"kernel\": \"relu.*\", \"dims\": {\"n\": 1}, \"shapes\": [{\"ITEMS\": 4}]}",
        "$.entries[0].shapes[0]: ITEMS of kernel relu.plain cannot be 4; its manifest lists 1, 2"},
};

static void bad_entries_say_where_and_what(void **state) {
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        plan_of(f, bad[i][0], NULL, 0);
        assert_int_equal(f->err.status, STATUS_BAD_INPUT);
        assert_says(f->err.text, "suite.txt: $.entries[0]");
        assert_says(f->err.text, bad[i][1]);
    }
}

static void crossing_is_bounded(void **state) {
    struct fixture *f = *state;
    struct text_list {
        char data[9000];
    } *list = calloc(1, sizeof *list);
    for (int i = 1; i <= 1000; i++) sprintf(list->data + strlen(list->data), "%s%d", i > 1 ? "," : "", i);
    plan_of(f,
        arena_format(&f->arena, "{\"kernel\": \"matmul.*\", \"dims\": {\"m\": [%s], \"n\": [%s], \"k\": [%s]}}",
            list->data, list->data, list->data),
        NULL, 0);
    free(list);
    assert_says(f->err.text, "$.entries[0].dims: crossing these values gives more than 200000 combinations");
}

#define SUITE                                                                                                          \
    "{\"kernel\": \"relu.*\", \"dims\": {\"n\": [5, 6]}, \"shapes\": \"default\"},"                                    \
    "{\"kernel\": \"matmul.tiled\", \"dims\": {\"m\": 16, \"n\": 16, \"k\": 16}, \"shapes\": "                         \
    "\"seeds\"},"                                                                                                      \
    "{\"kernel\": \"sum.multipass\", \"dims\": {\"n\": 9}, \"shapes\": \"default\", \"peak\": "                        \
    "\"p\"}"

static void selection(void **state) {
    struct fixture *f = *state;
    static const struct {
        const char *glob;
        size_t count; // including the peak, always kept
    } rows[] = {{"*", 9}, {"relu.*", 7}, {"relu.plain", 3}, {"*.scalar", 5}, {"relu.scalar/f16", 3}, {"*/f16/*", 3},
        {"relu.scalar/f16/n=5", 2}, {"matmul.tiled/f32/m=16,n=16,k=16", 3}, {"*wg=8x8x1*", 2}, {"sum.multipass", 1},
        {"relu.scalar/f16/n=5/wg=256x1x1,ITEMS=1", 2}, {"*n=5*", 4}, {"relu", 7}, {"relu/f16", 3}, {"relu/f16/n=5", 2},
        {"*mul", 3}, {"activation", 7}, {"activation/f16/*", 3}, {"matrix", 3}, {"sum", 1}, {"reduction", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct plan plan = plan_of(f, SUITE, &rows[i].glob, 1);
        if (plan.count != rows[i].count) fail_msg("%s: %zu points: %s", rows[i].glob, plan.count, f->err.text);
        assert_string_equal(plan.points[0].peak, "p");
    }
    const char *two[] = {"relu.plain", "matmul.*"};
    assert_int_equal(plan_of(f, SUITE, two, 2).count, 5);
}

// The limit on a plan's points does not count kernels that were not named.
static void what_is_not_selected_takes_no_room(void **state) {
    struct fixture *f = *state;
    struct text sizes = {0};
    for (int n = 1; n <= 7000; n++) text_format(&sizes, "%s%d", n > 1 ? ", " : "", n);
    const char *entry =
        arena_format(&f->arena, "{\"kernel\": \"relu.*\", \"dims\": {\"n\": [%s]}, \"shapes\": \"all\"}", sizes.data);
    text_free(&sizes);
    assert_int_equal(plan_of(f, entry, NULL, 0).count, 0);
    assert_non_null(strstr(f->err.text, "the plan exceeds 200000 points; name kernels"));
    assert_int_equal(
        plan_of(f, entry, (const char *[]){"relu.plain/f32/n=70*"}, 1).count, 12 * 12); // 70, 700 to 709, 7000
    assert_int_equal(plan_of(f, entry, (const char *[]){"relu.p*n/*/n=7000"}, 1).count, 12);
    // planned anyway, to suggest near names
    assert_int_equal(plan_of(f, entry, (const char *[]){"relu.plain", "sinh.*"}, 2).count, 0);
}

static void a_selection_of_nothing_says_what_is_near(void **state) {
    struct fixture *f = *state;
    static const char *const rows[][2] = {
        {"relu.scaler", "no point of the suite matches \"relu.scaler\"; did you mean \"relu.scalar\"?"},
        {"rmsnorm.*", "\"rmsnorm.*\"; no size of rmsnorm.workgroup is in it: name a suite that has one by --suite"},
        {"q*", "expected one of sum.multipass, relu.plain, relu.scalar, matmul.tiled"},
        {"relu.scaler/f32/n=5", "did you mean \"relu.scalar\"?"},
        {"rel", "did you mean \"relu\"?"},
        {"relu/f32/n=7/wg=256x1x1,ITEMS=1", "ITEMS=2, relu.scalar/f32/n=5/wg=256x1x1,ITEMS=1"},
        {"activ*", "no point of the suite matches \"activ*\""}, // a family must be named in full
        {"relu.scalar/f32/n=7/wg=256x1x1,ITEMS=1", "near it: relu.scalar/f32/n=5/wg=256x1x1,ITEMS=1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *globs[] = {"matmul.*", rows[i][0]}; // a glob with a match does not excuse one without
        plan_of(f, SUITE, globs, 2);
        assert_int_equal(f->err.status, STATUS_USAGE);
        assert_says(f->err.text, rows[i][1]);
    }
}

// If an operator has the name of its family, only the operator's kernels are meant.
static void a_family_s_name_is_its_kernels_unless_an_operator_has_it(void **state) {
    assert_true(select_matches("attention", "attention.flash/f32/batch=1"));
    assert_false(select_matches("attention", "rope_half.pairs/f32/seq=1"));
    assert_true(select_matches("normalisation/f16", "softmax.cached/f16/rows=1,cols=8/wg=64x1x1"));
    assert_false(select_matches("normalisation/f16", "softmax.cached/f32/rows=1,cols=8/wg=64x1x1"));
    assert_false(select_matches("softmax", "softmax_masked.online/f32/rows=1"));
    assert_false(select_matches("softmax.*/f16", "softmax.cached/f32/rows=1"));
    assert_false(select_matches("other", "launch/empty"));
}

static void shards_are_whole_cases_and_their_union_the_plan(void **state) {
    struct fixture *f = *state;
    static const char suite[] = SUITE ",{\"kernel\": \"relu.scalar\", \"dims\": {\"n\": [10, 11, "
                                      "12, 13, 14, 15, 16, 17, 18, 19, 20, "
                                      "21, 22, 23, 24, 25]}, \"shapes\": \"all\"}";
    struct plan whole = whole_plan(f, suite);
    int *met = calloc(whole.count, sizeof *met);
    size_t sum = 0;
    for (int index = 1; index <= 3; index++) {
        struct plan shard = whole_plan(f, suite);
        struct plan_cut cut;
        plan_shard(&f->arena, &shard, NULL, index, 3, &cut);
        assert_int_equal(cut.of, whole.count - 1);
        assert_int_equal(cut.points, shard.count - 1);
        assert_true(shard.count > whole.count / 10);
        assert_string_equal(shard.points[0].peak, "p");
        sum += shard.count;
        for (size_t i = 0, w = 0; i < shard.count; i++, w++) { // in the same order
            while (strcmp(whole.points[w].name, shard.points[i].name) != 0) assert_true(++w < whole.count);
            met[w]++;
        }
    }
    assert_int_equal(sum, whole.count + 2);
    for (size_t i = 0; i < whole.count; i++) {
        assert_int_equal(met[i], whole.points[i].peak ? 3 : 1);
    }
    free(met);
    struct plan one = whole_plan(f, suite);
    struct plan_cut cut;
    plan_shard(&f->arena, &one, NULL, 1, 1, &cut);
    assert_int_equal(one.count, whole.count);
}

static void shards_cost_alike(void **state) {
    struct fixture *f = *state;
    static const char suite[] = SUITE ",{\"kernel\": \"relu.scalar\", \"dims\": {\"n\": [10, 11, 12, 13, 14, 15, "
                                      "16]}, \"shapes\": \"default\"}";
    double costs[200], sum = 0, loads[2] = {0};
    uint64_t hashes[2] = {0};
    const struct plan whole = whole_plan(f, suite);
    assert_true(whole.count < 200);
    // The last case costs as much as all others together.
    for (size_t i = 0; i < whole.count; i++) sum += costs[i] = whole.points[i].peak ? 0 : 1;
    costs[whole.count - 1] = sum;
    struct plan_cut cut;
    for (int index = 1; index <= 2; index++) {
        struct plan shard = whole_plan(f, suite);
        plan_shard(&f->arena, &shard, costs, index, 2, &cut);
        hashes[index - 1] = cut.hash;
        for (size_t i = 0, w = 0; i < shard.count; i++) {
            while (strcmp(whole.points[w].name, shard.points[i].name) != 0) w++;
            loads[index - 1] += costs[w];
        }
    }
    assert_true(loads[0] + loads[1] == 2 * sum - 1);
    assert_true(fabs(loads[0] - loads[1]) <= 1);
    assert_true(hashes[0] == hashes[1]);
    struct plan shard = whole_plan(f, suite);
    plan_shard(&f->arena, &shard, NULL, 1, 2, &cut);
    assert_true(cut.hash != hashes[0]); // divided differently
}

static void names_are_planned_without_a_suite(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    struct settings settings = settings_standard();
    struct plan plan;
    fixture_kernels(f);
    const char *names[] = {"relu.scalar/f16/n=5/wg=64x1x1,ITEMS=4", "relu.scalar/f32/n=5/wg=1024x1x1,ITEMS=1",
        "relu.scalar/f16/n=5/wg=64x1x1,ITEMS=4"};
    device.features[FEATURE_STORAGE16] = false;
    assert_true(plan_from_names(&f->arena, &f->kernels, &device, names, 3, &settings, &plan, &f->err));
    ASSERT_NAMES(plan, names[0], names[1]);
    assert_says(refusal_text(&f->arena, plan.points[0].refused), "storage16");
    assert_says(refusal_text(&f->arena, plan.points[1].refused), "WG_X is 1024");
    assert_null(plan.points[0].peak);
    settings.memory_share = 1e-9;
    names[0] = "relu.scalar/f32/n=1000/wg=64x1x1,ITEMS=4";
    assert_true(plan_from_names(&f->arena, &f->kernels, &device, names, 1, &settings, &plan, &f->err));
    assert_says(refusal_text(&f->arena, plan.points[0].refused),
        "its buffers need 8000 bytes; memory_share is 1e-09 of the device's 1073741824 bytes");
    names[0] = "relu.*";
    assert_false(plan_from_names(&f->arena, &f->kernels, &device, names, 1, &settings, &plan, &f->err));
    assert_int_equal(f->err.status, STATUS_USAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lists_and_operators_are_crossed_as_entries_are, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(some_shapes_are_as_many_as_the_suite_says, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(only_evenly_drawn_operands_have_narrow_lines, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_pipeline_is_planned_once_at_a_size_that_can_run, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(entries_are_crossed_in_order, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(lists_and_parameters_are_crossed, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(peaks_come_first_and_cases_stay_together, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_repeated_point_keeps_its_peak, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(entries_for_another_kind_of_device, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(bad_entries_say_where_and_what, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(crossing_is_bounded, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(selection, fixture_open, fixture_close),
        cmocka_unit_test(a_family_s_name_is_its_kernels_unless_an_operator_has_it),
        cmocka_unit_test_setup_teardown(what_is_not_selected_takes_no_room, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_selection_of_nothing_says_what_is_near, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(shards_are_whole_cases_and_their_union_the_plan, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(shards_cost_alike, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(names_are_planned_without_a_suite, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
