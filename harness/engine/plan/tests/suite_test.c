// SPDX-License-Identifier: Apache-2.0
// Suite files, good and bad.
#include "../../../shader/manifest/tests/plan_fixture.h"
#include "../suite.h"
#include "../../../../reference/operator.h"

#define FRAME(settings, entries)                                                                                       \
    "{\"schema_version\": 1, \"name\": \"s\", \"summary\": \"t\", \"settings\": {" settings                            \
    "}, \"entries\": [" entries "]}"
#define RELU "{\"kernel\": \"relu.*\", \"dims\": {\"n\": 1}}"

static bool load(struct fixture *f, const char *content, struct suite *suite) {
    return suite_load(&f->arena, fixture_write(f, "suite.json", content), suite, &f->err);
}

static void absent_settings_are_standard(void **state) {
    struct fixture *f = *state;
    struct suite suite;
    assert_true(
        load(f, "{\"schema_version\": 1, \"name\": \"s\", \"summary\": \"t\", \"entries\": [" RELU "]}", &suite));
    struct settings s = suite.settings;
    assert_true(s.point_seconds == 0.5 && s.precision == 0.01 && s.least_samples == 10 && s.most_samples == 1000);
    assert_true(s.longest_dispatch_s == 0.5 && s.check_operations == 2e8 && s.reference_seconds == 0.5);
    assert_true(s.memory_share == 0.5 && !s.cold && s.some_shapes == 4 && !s.cpu_samples && s.cpu_sanitize);
    assert_int_equal(suite.entries[0].shapes, SHAPES_SOME);
}

static void every_setting_is_read(void **state) {
    struct fixture *f = *state;
    struct suite suite;
    assert_true(load(f,
        FRAME("\"point_seconds\": 0.1, \"precision\": 0.02, \"least_samples\": 3, "
              "\"most_samples\": 4, "
              "\"longest_dispatch_s\": 1, \"check_operations\": 3e7, \"reference_seconds\": 2, "
              "\"memory_share\": 0.25, "
              "\"cache\": \"cold\", \"some_shapes\": 7, \"cpu_samples\": 6, \"cpu_sanitize\": false, "
              "\"plain_inputs\": true",
            RELU),
        &suite));
    const struct settings *s = &suite.settings;
    assert_true(s->point_seconds == 0.1 && s->precision == 0.02 && s->least_samples == 3 && s->most_samples == 4);
    assert_true(s->longest_dispatch_s == 1 && s->check_operations == 3e7 && s->reference_seconds == 2);
    assert_true(s->memory_share == 0.25 && s->cold && s->some_shapes == 7);
    assert_true(s->cpu_samples == 6 && !s->cpu_sanitize && s->plain_inputs);
}

static void entries_are_read(void **state) {
    struct fixture *f = *state;
    struct suite suite;
    assert_true(load(f,
        FRAME("", "{\"kernel\": \"copy.vec4\", \"dtypes\": [\"f32\"], \"dims\": [{\"n\": [1, 2]}, "
                  "{\"n\": 3, "
                  "\"eps\": 1e-6}], \"shapes\": [{\"WG_X\": 64}, {}], \"peak\": "
                  "\"copy_bytes_per_s\", \"only\": \"gpu\"}"),
        &suite));
    const struct suite_entry *e = &suite.entries[0];
    assert_string_equal(e->kernel, "copy.vec4");
    assert_true(e->dtypes[DTYPE_F32] && !e->dtypes[DTYPE_F16]);
    assert_int_equal(e->dims_count, 2);
    assert_string_equal(e->dims[0].items[0].name, "n");
    assert_int_equal(e->dims[0].items[0].count, 2);
    assert_true(e->dims[0].items[0].values[1] == 2 && e->dims[1].items[1].values[0] == 1e-6);
    assert_int_equal(e->shapes, SHAPES_LISTED);
    assert_int_equal(e->explicit_count, 2);
    assert_string_equal(e->explicit_shapes[0].items[0].name, "WG_X");
    assert_int_equal(e->explicit_shapes[0].items[0].value, 64);
    assert_int_equal(e->explicit_shapes[1].count, 0);
    assert_string_equal(e->peak, "copy_bytes_per_s");
    assert_string_equal(e->only_kind, "gpu");
    assert_string_equal(e->where, "$.entries[0]");
}

// A list becomes one entry for each item, in its order, with everything else equal.
static void a_list_is_an_entry_for_each(void **state) {
    struct fixture *f = *state;
    struct suite suite;
    assert_true(load(f,
        FRAME("", "{\"kernels\": [\"exp.*\", \"add.vec4\"], \"dims\": {\"n\": 5}, \"only\": \"cpu\"}, "
                  "{\"operator\": \"relu\", \"dims\": {\"n\": 1}}, {\"operators\": [\"sub\"], \"dims\": {\"n\": 1}}"),
        &suite));
    assert_int_equal(suite.entry_count, 4);
    assert_string_equal(suite.entries[0].kernel, "exp.*");
    assert_string_equal(suite.entries[1].kernel, "add.vec4");
    for (int i = 0; i < 2; i++) {
        assert_null(suite.entries[i].op);
        assert_true(suite.entries[i].dims[0].items[0].values[0] == 5);
        assert_string_equal(suite.entries[i].only_kind, "cpu");
        assert_string_equal(suite.entries[i].where, "$.entries[0]");
    }
    assert_string_equal(suite.entries[1].subject, "$.entries[0].kernels[1]");
    assert_string_equal(suite.entries[2].op, "relu");
    assert_null(suite.entries[2].kernel);
    assert_string_equal(suite.entries[3].op, "sub");
    assert_string_equal(suite.entries[3].subject, "$.entries[2].operators[0]");
}

static const char *const bad[][2] = {
    {FRAME("", "{\"kernels\": [], \"dims\": {\"n\": 1}}"), "$.entries[0].kernels: expected 1 or more items, found 0"},
    {FRAME("", "{\"kernels\": 3, \"dims\": {\"n\": 1}}"), "$.entries[0].kernels: expected string, found int"},
    {FRAME("", "{\"operators\": [\"relu\", 3], \"dims\": {\"n\": 1}}"),
        "$.entries[0].operators[1]: expected string, found int"},
    {FRAME("", "{\"kernel\": \"relu.*\", \"operator\": \"relu\", \"dims\": {\"n\": 1}}"),
        "$.entries[0]: expected \"kernel\" or \"operator\", found both"},
    {FRAME("", "{\"probe\": \"submit.*\", \"dtypes\": [\"f32\"], \"dims\": {\"k\": 1}}"),
        "$.entries[0]: a probe takes no"},
    {"", ":1: "},
    {"[]", "$: expected object, found array"},
    {"{\"name\": \"s\"}", "$: expected a member \"entries\", as a suite has; found name"},
    {"{\"name\": \"s\", \"entries\": []}", "$: expected a member \"schema_version\""},
    {"{\"schema_version\": 2}", "$.schema_version: expected an integer from 1 to 1, found 2"},
    {"{\"entrys\": []}", "$: unknown member \"entrys\"; did you mean \"entries\"?"},
    {FRAME("", ""), "$.entries: expected 1 or more items, found 0"},
    {FRAME("\"precison\": 1", RELU), "$.settings: unknown member \"precison\"; did you mean \"precision\"?"},
    {FRAME("\"precision\": 0", RELU), "$.settings.precision: expected a number above 0, found 0"},
    {FRAME("\"precision\": \"1\"", RELU), "$.settings.precision: expected double, found string"},
    {FRAME("\"memory_share\": 1.5", RELU), "$.settings.memory_share: expected at most 1, found 1.5"},
    {FRAME("\"least_samples\": 0", RELU), "$.settings.least_samples: expected at least 1, found 0"},
    {FRAME("\"least_samples\": 2.5", RELU), "$.settings.least_samples: expected int, found double"},
    {FRAME("\"least_samples\": 20, \"most_samples\": 10", RELU),
        "$.settings: least_samples (20) is above most_samples (10)"},
    {FRAME("\"cache\": \"warm\"", RELU), "$.settings.cache: expected \"hot\" or \"cold\", found \"warm\""},
    {FRAME("", "{\"kernel\": \"relu.*\"}"), "$.entries[0]: expected a member \"dims\""},
    {FRAME("", "{\"dims\": {}}"), "$.entries[0]: expected \"kernel\", \"kernels\", \"operator\""},
    {FRAME("", "{\"kernel\": \"relu.*\", \"dim\": {}}"),
        "$.entries[0]: unknown member \"dim\"; did you mean \"dims\"?"},
    {FRAME("", RELU ", {\"kernel\": \"relu.*\", \"dims\": 4}"), "$.entries[1].dims: expected object, found int"},
    {FRAME("", "{\"kernel\": \"relu.*\", \"dims\": []}"), "$.entries[0].dims: expected 1 or more items, found 0"},
    {FRAME("", "{\"kernel\": \"relu.*\", \"dims\": [{}, {\"n\": []}]}"),
        "$.entries[0].dims[1].n: expected 1 or more items, found 0"},
    {FRAME("", "{\"kernel\": \"relu.*\", \"dims\": {\"n\": [1, \"2\"]}}"),
        "$.entries[0].dims.n[1]: expected double, found string"},
    {FRAME("", "{\"kernel\": \"relu.*\", \"dtypes\": [\"f23\"], \"dims\": {\"n\": 1}}"),
        "$.entries[0].dtypes[0]: \"f23\" is no dtype"},
    {FRAME("", "{\"kernel\": \"relu.*\", \"dtypes\": [], \"dims\": {\"n\": 1}}"),
        "$.entries[0].dtypes: expected at least one dtype"},
    {FRAME("", "{\"kernel\": \"relu.*\", \"dims\": {\"n\": 1}, \"shapes\": \"few\"}"),
        "$.entries[0].shapes: expected \"default\""},
    {FRAME("", "{\"kernel\": \"relu.*\", \"dims\": {\"n\": 1}, \"shapes\": []}"),
        "$.entries[0].shapes: expected 1 or more items, found 0"},
    {FRAME("", "{\"kernel\": \"relu.*\", \"dims\": {\"n\": 1}, \"shapes\": [{\"WG_X\": -1}]}"),
        "$.entries[0].shapes[0].WG_X: expected an integer from 0"},
    {FRAME("", "{\"kernel\": \"relu.*\", \"dims\": {\"n\": 1}, \"only\": \"tpu\"}"),
        "$.entries[0].only: expected \"cpu\", \"gpu\" or \"own\", found \"tpu\""},
};

static void bad_files_say_where_and_what(void **state) {
    struct fixture *f = *state;
    struct suite suite;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (load(f, bad[i][0], &suite)) fail_msg("accepted: %s", bad[i][0]);
        assert_int_equal(f->err.status, STATUS_BAD_INPUT);
        assert_says(f->err.text, "suite.json");
        assert_says(f->err.text, bad[i][1]);
    }
    assert_false(suite_load(&f->arena, "/nonexistent.json", &suite, &f->err));
    assert_int_equal(f->err.status, STATUS_BAD_INPUT);
}

static void a_suite_of_recordings_has_the_name_of_its_folder(void **state) {
    static const struct {
        const char *folders[2], *name;
    } rows[] = {{{"mlp"}, "capture-mlp"}, {{"/tmp/a/capture-main"}, "capture-main"}, {{"capture"}, "capture"},
        {{".."}, "capture"}, {{"a/b", "a/b"}, "capture-b"}, {{"a/b", "c/b"}, "captures"}};
    struct fixture *f = *state;
    static const struct op op = {.dims = {"call"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct recordings recorded[2];
        struct kernel own = {.name = "relu.vec4"}, captured[2];
        const struct kernel *items[3] = {&own};
        struct kernels kernels = {.items = items, .count = 1};
        struct suite suite = {.name = "quick"};
        for (int k = 0; k < 2 && rows[i].folders[k]; k++) {
            recorded[k] = (struct recordings){.folder = rows[i].folders[k], .count = 1};
            captured[k] = (struct kernel){.name = "capture.k", .op = &op, .recorded = &recorded[k]};
            items[kernels.count++] = &captured[k];
        }
        suite_of_recordings(&f->arena, &kernels, false, &suite);
        assert_string_equal(suite.name, rows[i].name);
        assert_int_equal(suite.entry_count, kernels.count - 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_suite_of_recordings_has_the_name_of_its_folder, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(absent_settings_are_standard, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(every_setting_is_read, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_list_is_an_entry_for_each, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(entries_are_read, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(bad_files_say_where_and_what, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
