// SPDX-License-Identifier: Apache-2.0
// Tests --samples: every command that times a point takes the requested number of samples.
#include "../../base/tests/tries.h"
#include "vkassay_program.h"

static int set_up(void **state) {
    if (program_open(state) != 0) return -1;
    write_suite("one", "{\"kernel\": \"relu.scalar\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": 4099}}");
    return 0;
}

// Returns the number of samples of each record's compute figure; 0: none has any; -1: they differ.
static int64_t samples_of(const char *pattern) {
    int64_t all = 0;
    struct json_object *result = parsed(pattern);
    struct json_object *records = json_get(result, "records");
    for (size_t i = 0; i < json_object_array_length(records); i++) {
        struct json_object *one = json_object_array_get_idx(records, i);
        int64_t here = json_get_int(json_get(json_get(one, "time"), "compute"), "samples", 0);
        all = all && here != all ? -1 : here;
    }
    json_object_put(result);
    return all;
}

static void bench_takes_so_many(void **state) {
    assert_int_equal(run("bench --quiet --suite %s/one.json --samples 7 --out %s/bench", folder, folder), STATUS_OK);
    assert_int_equal(samples_of("bench/*/*/result.json"), 7);
}

static void tune_takes_so_many_of_each_shape(void **state) {
    assert_int_equal(run("tune --quiet --suite %s/one.json --strategy exhaustive --samples 4 --out %s/tune "
                         "'relu.scalar/f32/n=4099'",
                         folder, folder),
        STATUS_OK);
    assert_int_equal(samples_of("tune/*/*/result.json"), 4);
}

// Four ratios have no 95 % interval, but twelve have one. By default ab continues until there is one.
static void ab_takes_so_many_pairs(void **state) {
    static const struct {
        int samples, status;
        bool few;
    } rows[] = {{4, STATUS_SLOWER, true}, {12, STATUS_OK, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tries tries = {"a busy host spreads the ratios", 3, 0};
        int status = -1;
        while (next_try(&tries, status == rows[i].status)) {
            status = run("ab --quiet --strict --suite %s/one.json --samples %d --base kernels --head kernels "
                         "--format json --effect 900",
                folder, rows[i].samples);
            assert_int_equal(strstr(content("output"), "too few samples") != NULL, rows[i].few);
        }
        assert_int_equal(status, rows[i].status);
    }
}

static void what_is_no_number_of_samples_is_refused(void **state) {
    assert_int_equal(run("bench --samples 0"), STATUS_USAGE);
    assert_non_null(strstr(content("output"), "--samples expects N, found '0'"));
    assert_int_equal(run("check --samples 7"), STATUS_USAGE);
    static const char *const precisions[] = {"0", "0%", "-1", "101", "nan", "x"};
    for (size_t i = 0; i < sizeof precisions / sizeof *precisions; i++)
        assert_int_equal(run("bench relu --precision %s", precisions[i]), STATUS_USAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bench_takes_so_many),
        cmocka_unit_test(tune_takes_so_many_of_each_shape),
        cmocka_unit_test(ab_takes_so_many_pairs),
        cmocka_unit_test(what_is_no_number_of_samples_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, folder_remove);
}
