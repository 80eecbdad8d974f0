// SPDX-License-Identifier: Apache-2.0
// Sizes added for words of a command line, in a small folder of kernels.
#include "../../../device/device_info.h"
#include "../../../shader/manifest/tests/plan_fixture.h"
#include "../suite.h"
#include "../suite_sizes.h"

static struct suite suite_of(struct fixture *f, const char *name, const char *dims) {
    struct suite suite;
    const char *text = arena_format(&f->arena,
        "{\"schema_version\": 1, \"name\": \"%s\", \"summary\": \"t\", \"entries\": [{\"kernel\": \"relu.scalar\", "
        "\"dtypes\": [\"f32\"], \"dims\": {\"n\": %s}, \"shapes\": \"default\"}]}",
        name, dims);
    if (!suite_load(&f->arena, fixture_write(f, name, text), &suite, &f->err)) fail_msg("%s", f->err.text);
    return suite;
}

// Adds the sizes of a word, and returns those of the new entry as "900 500"; "" if nothing was added.
static const char *added(struct fixture *f, struct suite *suite, const struct suite *source, const char *word) {
    const struct device_info device = fixture_device();
    const struct usual_request request = {.sources = source,
        .source_count = 1,
        .kernels = &f->kernels,
        .device = &device,
        .select = &word,
        .select_count = 1,
        .each = true};
    const size_t before = suite->entry_count;
    struct text out = {0};
    if (!usual_sizes(&f->arena, &request, suite, NULL, &f->err)) fail_msg("%s", f->err.text);
    if (suite->entry_count == before) return "";
    assert_int_equal(suite->entry_count, before + 1);
    const struct suite_entry *entry = &suite->entries[before];
    for (size_t i = 0; i < entry->dims_count; i++)
        text_format(&out, "%s%g", i ? " " : "", entry->dims[i].items[0].values[0]);
    return arena_take(&f->arena, &out);
}

static void the_three_largest_sizes_are_kept(void **state) {
    static const char *const rows[][2] = {{"[100, 900, 300, 500, 700, 200]", "900 500 700"},
        {"[900, 800, 700, 600]", "900 800 700"}, {"[6, 7, 8, 9]", "7 8 9"}, {"[5, 3]", "5 3"}};
    struct fixture *f = *state;
    fixture_kernels(f);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct suite source = suite_of(f, "source", rows[i][0]);
        struct suite suite = {.name = "none", .settings = settings_standard()};
        assert_string_equal(added(f, &suite, &source, "relu.scalar"), rows[i][1]);
    }
}

static void only_what_the_suite_lacks_is_added(void **state) {
    static const char *const rows[][2] = {{"relu.scalar", ""}, {"relu.scalar/f32", ""}, {"relu.scalar/f32/n=5", ""},
        {"relu.scalar/f32/n=77", "77"}, {"relu.scalar/f16", "900"}};
    struct fixture *f = *state;
    fixture_kernels(f);
    const struct suite source = suite_of(f, "source", "[900]");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct suite suite = suite_of(f, "suite", "[5]");
        assert_string_equal(added(f, &suite, &source, rows[i][0]), rows[i][1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_three_largest_sizes_are_kept, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(only_what_the_suite_lacks_is_added, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
