// SPDX-License-Identifier: Apache-2.0
// Sizes of a command line put into a suite.
#include "../suite_sizes.h"
#include "../../../../reference/tests/unit.h"

#include <string.h>

static struct arena arena;

static int release(void **state) {
    arena_free(&arena);
    return 0;
}

// A suite of three entries: rows and cols at two sizes, n, and n for a peak.
static struct suite some_suite(void) {
    static double rows[] = {1, 512}, cols[] = {33}, n[] = {1025};
    static struct suite_values plane[] = {{"rows", rows, 2}, {"cols", cols, 1}}, line[] = {{"n", n, 1}};
    static struct suite_dims planes[] = {{plane, 2, ""}}, lines[] = {{line, 1, ""}};
    static struct suite_entry entries[3];
    entries[0] = (struct suite_entry){.kernel = "softmax.*", .dims = planes, .dims_count = 1};
    entries[1] = (struct suite_entry){.kernel = "add.*", .dims = lines, .dims_count = 1};
    entries[2] = (struct suite_entry){.kernel = "copy.*", .dims = lines, .dims_count = 1, .peak = "copy_bytes_per_s"};
    return (struct suite){.name = "some", .entries = entries, .entry_count = 3};
}

static void sizes_take_the_places_of_the_suites(void **state) {
    struct suite suite = some_suite();
    struct error err = {0};
    assert_true(suite_set_sizes(&arena, &suite, "rows=4k,rows=7", &err));
    assert_int_equal(suite.entry_count, 2); // the entry of n has no rows; an entry for a peak stays as it is
    assert_string_equal(suite.entries[0].kernel, "softmax.*");
    const struct suite_values *values = suite.entries[0].dims[0].items;
    assert_int_equal(values[0].count, 2);
    assert_true(values[0].values[0] == 4096 && values[0].values[1] == 7);
    assert_true(values[1].count == 1 && values[1].values[0] == 33); // a size not named stays
    assert_string_equal(suite.entries[1].kernel, "copy.*");
    assert_true(suite.entries[1].dims[0].items[0].values[0] == 1025);
}

static void units_are_powers_of_1024(void **state) {
    static const struct {
        const char *text;
        double value;
    } cases[] = {{"n=4M", 4194304}, {"n=1G", 1073741824}, {"n=65537", 65537}, {"n=2k", 2048}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct suite suite = some_suite();
        struct error err = {0};
        assert_true(suite_set_sizes(&arena, &suite, cases[i].text, &err));
        assert_true(suite.entries[0].dims[0].items[0].values[0] == cases[i].value);
    }
}

static void what_is_no_size_is_refused(void **state) {
    static const char *const texts[] = {"", "n", "n=", "=4", "n=0", "n=-1", "n=4K4", "n=4x", "n= 4", "n=4,", "n=1,,n=2",
        "n=99999999999999999999", "n=9999999999999G", "n=1.5"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct suite suite = some_suite();
        struct error err = {0};
        if (suite_set_sizes(&arena, &suite, texts[i], &err)) fail_msg("'%s' was taken", texts[i]);
        assert_int_equal(err.status, STATUS_USAGE);
        assert_int_equal(suite.entry_count, 3);
    }
}

static void an_unknown_dim_is_reported_with_those_there_are(void **state) {
    struct suite suite = some_suite();
    struct error err = {0};
    assert_false(suite_set_sizes(&arena, &suite, "row=4", &err));
    assert_int_equal(err.status, STATUS_USAGE);
    assert_non_null(strstr(err.text, "rows, cols, n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(sizes_take_the_places_of_the_suites, release),
        cmocka_unit_test_teardown(units_are_powers_of_1024, release),
        cmocka_unit_test_teardown(what_is_no_size_is_refused, release),
        cmocka_unit_test_teardown(an_unknown_dim_is_reported_with_those_there_are, release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
